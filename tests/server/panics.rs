//! A tool that panics: its caller gets `INTERNAL_ERROR`, and the others their answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dibber_server::store::sqlite::SqliteStore;
use dibber_server::store::{Changes, Ending, ReadJob, Store, StoreResult, WriteJob, Writer};
use dibber_skill::contract::IDEMPOTENCY_META;
use serde_json::{Value, json};

use crate::support::wire::{HOME, OTHER, RawConnection, TestServer, sample_arguments, with};

/// A store whose work panics while `panics` is set.
struct Faulty {
    store: SqliteStore,
    panics: Arc<AtomicBool>,
}

fn panic_if(panics: &AtomicBool) {
    assert!(!panics.load(Ordering::Relaxed), "Ottilie \u{1B}[31m");
}

/// A job that panics while `panics` is set.
struct FaultyJob {
    job: Box<dyn WriteJob>,
    panics: Arc<AtomicBool>,
}

impl WriteJob for FaultyJob {
    fn run(&mut self, store: &dyn Writer) -> Ending {
        panic_if(&self.panics);
        self.job.run(store)
    }

    fn finish(self: Box<Self>, ended: StoreResult<()>) {
        self.job.finish(ended);
    }
}

impl Store for Faulty {
    fn submit_read(&self, job: ReadJob) {
        let panics = Arc::clone(&self.panics);
        self.store.submit_read(Box::new(move |state| {
            panic_if(&panics);
            job(state);
        }));
    }

    fn submit_write(&self, job: Box<dyn WriteJob>) {
        self.store.submit_write(Box::new(FaultyJob { job, panics: Arc::clone(&self.panics) }));
    }

    fn changes(&self) -> &Arc<Changes> {
        self.store.changes()
    }

    fn follow(&self, after: i64) {
        self.store.follow(after);
    }

    fn close(&self) {
        self.store.close();
    }
}

/// Returns the code of what a tool answers, or `OK`.
async fn code(pipe: &mut RawConnection, tool: &str, arguments: Value) -> String {
    let meta = json!({IDEMPOTENCY_META: format!("the-key-of-{tool}")});
    let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
    let answer = pipe.ask("tools/call", params).await;
    assert!(!answer.to_string().contains("Ottilie"), "{answer}");
    assert!(answer["result"].is_object(), "{answer}");
    let code = &answer["result"]["structuredContent"]["error"]["code"];
    code.as_str().unwrap_or("OK").to_owned()
}

#[tokio::test]
async fn a_panic_is_an_internal_error_for_its_caller_alone() {
    let panics = Arc::new(AtomicBool::new(false));
    let store = SqliteStore::temporary().expect("a database");
    let test_server =
        TestServer::with_families_in(Arc::new(Faulty { store, panics: Arc::clone(&panics) }));
    let (mut home, mut other) = (test_server.connect(HOME).await, test_server.connect(OTHER).await);
    let unknown = json!({"skillId": "sk_00000000000000000000000000000000", "result": {}});
    for (panics_now, read, write) in
        [(true, "INTERNAL_ERROR", "INTERNAL_ERROR"), (false, "OK", "PERMISSION_DENIED")]
    {
        panics.store(panics_now, Ordering::Relaxed);
        assert_eq!(code(&mut home, "skill_list", json!({})).await, read);
        let dry_run = with(sample_arguments(), json!({"dryRun": true}));
        assert_eq!(code(&mut home, "skill_write", dry_run).await, read);
        // The same key may be sent again.
        assert_eq!(code(&mut home, "skill_post_result", unknown.clone()).await, write);
        panics.store(false, Ordering::Relaxed);
        assert_eq!(code(&mut other, "skill_list", json!({})).await, "OK");
    }
}
