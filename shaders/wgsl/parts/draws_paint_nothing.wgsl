// Nobody wants to know what draws paint.

alias Painted = u32;

fn paint_nothing() -> Painted {
    return 0u;
}

fn paint(earlier: Painted, box: vec4<f32>, nodes: u32, lane: u32, lanes: u32, at: u32) -> Painted {
    return 0u;
}

fn paint_store(at: u32, painted: Painted) {}

fn gaps_end() {}
