//! Limits the memory of this process, on systems that support this. The parent limits its time in any case.

/// `RLIMIT_DATA` counts private writable memory. `RLIMIT_AS` would also count the address space that GPU drivers
/// reserve and never use, up to terabytes.
#[cfg(unix)]
pub(super) fn limit(most: u64) {
    use rustix::process::{Resource, getrlimit, setrlimit};
    for (resource, most) in [(Resource::Data, most), (Resource::Core, 0)] {
        let mut limit = getrlimit(resource);
        let most = limit.maximum.map_or(most, |maximum| maximum.min(most));
        (limit.current, limit.maximum) = (Some(most), Some(most));
        let _ = setrlimit(resource, limit);
    }
}

/// Limits committed memory with a job object, which also ends the child processes of this one.
#[cfg(windows)]
#[allow(unsafe_code)]
pub(super) fn limit(most: u64) {
    use std::{mem, ptr};
    use windows_sys::Win32::System::{JobObjects as job, Threading::GetCurrentProcess};
    let mut limits = job::JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags =
        job::JOB_OBJECT_LIMIT_PROCESS_MEMORY | job::JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    limits.ProcessMemoryLimit = usize::try_from(most).unwrap_or(usize::MAX);
    let (size, kind) = (mem::size_of_val(&limits) as u32, job::JobObjectExtendedLimitInformation);
    // SAFETY: the object needs no attributes and no name. The information kind matches the struct, which outlives the
    // call and has the given size. The handle of this process is a constant. Without an object, the other calls fail,
    // which is ignored. The object is never closed, so it lives as long as this process.
    unsafe {
        let object = job::CreateJobObjectW(ptr::null(), ptr::null());
        job::SetInformationJobObject(object, kind, ptr::from_ref(&limits).cast(), size);
        job::AssignProcessToJobObject(object, GetCurrentProcess());
    }
}

#[cfg(not(any(unix, windows)))]
pub(super) fn limit(_: u64) {}
