//! Lines that are typed while something else is waited for.

use std::io;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Reads lines of standard input on a thread of its own, which ends with the program: a read cannot be
/// cancelled.
pub(super) fn lines() -> UnboundedReceiver<String> {
    let (sender, receiver) = unbounded_channel();
    std::thread::spawn(move || {
        for line in io::stdin().lines() {
            let Ok(line) = line else { break };
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}
