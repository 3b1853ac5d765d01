//! The launcher of the tests: it does what `dibber` does at the start of `main`.

fn main() {
    #[cfg(target_os = "linux")]
    as_nobody::run_if_asked();
    dibber_sandbox::enter();
}

#[cfg(target_os = "linux")]
mod as_nobody {
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use rustix::process::{Gid, Uid};
    use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};

    /// Executes this program again as an unprivileged user if the first argument says so.
    pub(crate) fn run_if_asked() {
        let mut arguments = std::env::args_os().skip(1);
        if arguments.next().is_some_and(|argument| argument == "--as-nobody") {
            let (uid, gid) = (Uid::from_raw(65534), Gid::from_raw(65534));
            set_thread_groups(&[]).expect("no groups");
            set_thread_res_gid(gid, gid, gid).expect("another group");
            set_thread_res_uid(uid, uid, uid).expect("another user");
            let error = Command::new("/proc/self/exe").args(arguments).exec();
            panic!("cannot execute the launcher: {error}");
        }
    }
}
