//! What a caller adds to the carrying out of a plan.

/// Follows a plan that is carried out. `()` does nothing.
pub trait Observer {
    /// Called after each item.
    fn item_done(&mut self) {}

    /// Runs a step that must not be interrupted half way, such as recording what was published.
    fn uninterrupted<T>(&mut self, work: impl FnOnce() -> T) -> T {
        work()
    }
}

impl Observer for () {}
