//! The memory of this process, if the system can limit it. The parent limits its time in any case.

/// `RLIMIT_DATA` counts private memory that may be written. `RLIMIT_AS` would count the address space that GPU drivers
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

/// A job object limits committed memory, and ends the processes that this one starts with it.
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
    // SAFETY: the object needs no attributes and no name. This kind of information is this struct, which lives during the call
    // and has this size. The handle of this process is a constant. If there is no object, the other calls fail, which is
    // ignored. The object is never closed, so it lives as long as this process.
    unsafe {
        let object = job::CreateJobObjectW(ptr::null(), ptr::null());
        job::SetInformationJobObject(object, kind, ptr::from_ref(&limits).cast(), size);
        job::AssignProcessToJobObject(object, GetCurrentProcess());
    }
}

#[cfg(not(any(unix, windows)))]
pub(super) fn limit(_: u64) {}
