//! The copy kernel: a word in, a word out. Nothing that reads its input and
//! writes an output of the same size can be faster.

use crate::board::Board;
use crate::harness::Recordable;
use crate::kernel::Kernel;
use crate::puzzle::Puzzle;
use crate::strategy::Strategy;
use treebounds::wgpu;

/// What its line is called.
pub(crate) const NAME: &str = "copy kernel";

const SOURCE: &str = "
@group(0) @binding(0) var<storage, read> source: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> target_words: array<vec4<u32>>;
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = (id.y * groups.x + id.x) * 256u + thread;
    if at < arrayLength(&source) {
        target_words[at] = source[at];
    }
}
";

/// Copies the tags to where the links belong.
pub(crate) struct Copy(Kernel);

impl Copy {
    pub(crate) fn new(device: &wgpu::Device, checked: bool) -> anyhow::Result<Self> {
        Ok(Self(Kernel::new(device, "copy", SOURCE, checked)?))
    }
}

impl Strategy for Copy {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&self, board: &Board) -> anyhow::Result<Vec<Box<dyn Recordable>>> {
        let groups = (board.n as u64).div_ceil(4 * 256).max(1);
        let buffers = [&board.tags, &board.links];
        Ok(vec![Box::new(self.0.bind(&board.gpu.device, &buffers, groups)?)])
    }

    fn answer<'a>(&self, puzzle: &'a Puzzle) -> &'a [u32] {
        &puzzle.tags
    }
}
