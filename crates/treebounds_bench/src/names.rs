//! What takes part, by what its name contains.

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
    check_wanted("strategy", names.chain([crate::copy::NAME]), parts)?;
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
