//! The lines of tables and figures: what each is called, and which of them take part.

/// The copy kernel.
pub(crate) const COPY: &str = "copy kernel";
/// `treebounds::Matcher` by default.
pub(crate) const MATCHING: &str = "treebounds";
/// The same, reading bits.
pub(crate) const MATCHING_BITS: &str = "treebounds, bits in";
/// What the names of the paper's algorithms begin with.
pub(crate) const PAPER: &str = "Levien 2022";
/// `treebounds::Stage`: clips and blends at once.
pub(crate) const FUSED: &str = "treebounds, fused";
/// The stage with clips alone.
pub(crate) const CLIPS: &str = "treebounds, clips";
/// The stage with blends alone.
pub(crate) const BLENDS: &str = "treebounds, blends";
/// `treebounds::Bounds`, of nodes alone.
pub(crate) const NODES: &str = "treebounds, nodes";
/// The same of clips alone, which is what Vello's stage finds.
pub(crate) const NODE_CLIPS: &str = "treebounds, node clips";
/// Vello's clip stage.
pub(crate) const VELLO_GPU: &str = "Vello 0.11, clips";
/// The same on the CPU.
pub(crate) const VELLO_CPU: &str = "Vello 0.11, CPU";

/// The CPU, one core.
pub(crate) const ONE_CORE: &str = "CPU, one core";
/// The CPU, all cores.
pub(crate) const ALL_CORES: &str = "CPU, all cores";

/// Whether this line is one of ours by default, for matching or for bounds.
pub(crate) fn is_ours(line: &str) -> bool {
    line.starts_with(MATCHING)
}

/// Whether the name contains one of these; all names do where there are none.
pub(crate) fn wanted(name: &str, parts: &[String]) -> bool {
    parts.is_empty() || parts.iter().any(|part| name.contains(part.as_str()))
}

/// That a name of this kind contains one of these.
pub(crate) fn check_wanted<'a>(
    kind: &str,
    names: impl Iterator<Item = &'a str>,
    parts: &[String],
) -> anyhow::Result<()> {
    let names: Vec<_> = names.collect();
    let is_one = names.iter().any(|name| wanted(name, parts));
    anyhow::ensure!(is_one, "no {kind} has such a name. There are: {}", names.join("; "));
    Ok(())
}

/// Strategies, and how each says its name.
type Named<'a, S> = (&'a mut Vec<Box<S>>, fn(&S) -> &str);

/// Leaves the strategies whose name contains one of these. The copy kernel, which always
/// runs, is one that may be asked for.
pub(crate) fn keep_wanted<G: ?Sized, C: ?Sized>(
    (gpu, gpu_name): Named<'_, G>,
    (cpu, cpu_name): Named<'_, C>,
    parts: &[String],
) -> anyhow::Result<()> {
    let gpu_names = gpu.iter().map(|strategy| gpu_name(strategy));
    let names = gpu_names.chain(cpu.iter().map(|strategy| cpu_name(strategy)));
    check_wanted("strategy", names.chain([COPY]), parts)?;
    gpu.retain(|strategy| wanted(gpu_name(strategy), parts));
    cpu.retain(|strategy| wanted(cpu_name(strategy), parts));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_nobody_has_is_an_error_that_lists_them() {
        let check =
            |part: &str| check_wanted("fruit", ["apple", "pear"].into_iter(), &[part.into()]);
        assert!(check("ear").is_ok());
        let error = check("plum").map_err(|error| error.to_string());
        assert_eq!(error, Err("no fruit has such a name. There are: apple; pear".into()));
    }
}
