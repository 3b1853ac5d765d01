//! The client of the official SDK subscribes over HTTP, in both eras of MCP.

use std::time::Duration;

use dibber_server::http::Limits;
use rmcp::ServiceExt;
use rmcp::handler::client::ClientHandler;
use rmcp::model::{
    ProtocolVersion, ResourceUpdatedNotificationParam, ServerNotification, SubscribeRequestParams,
    SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, NotificationContext, RoleClient};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::timeout;

use super::subscriptions::{ACTIVITY, PATIENCE, Served, change};

/// A client that passes on which resources have changed.
struct Heard(UnboundedSender<String>);

impl ClientHandler for Heard {
    async fn on_resource_updated(
        &self,
        params: ResourceUpdatedNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        // The test may have ended.
        let _ = self.0.send(params.uri);
    }
}

#[tokio::test]
#[expect(deprecated, reason = "the first era of MCP has nothing else")]
async fn a_client_of_the_first_era_subscribes() {
    let served = Served::new(Limits::default()).await;
    let (sender, mut heard) = unbounded_channel();
    let client = Heard(sender).serve(transport(&served)).await.expect("a connection");
    client.subscribe(SubscribeRequestParams::new(ACTIVITY)).await.expect("a subscription");
    for _ in 0..3 {
        change(&served.test_server, ACTIVITY);
        let uri = timeout(PATIENCE, heard.recv()).await.expect("news");
        assert_eq!(uri.as_deref(), Some(ACTIVITY));
    }
    client.unsubscribe(UnsubscribeRequestParams::new(ACTIVITY)).await.expect("an end");
    change(&served.test_server, ACTIVITY);
    assert!(timeout(Duration::from_millis(300), heard.recv()).await.is_err());
    client.cancel().await.expect("an end");
    served.stop().await;
}

#[tokio::test]
async fn a_client_of_the_second_era_listens() {
    let served = Served::new(Limits::default()).await;
    let (sender, _heard) = unbounded_channel();
    let versions = vec![ProtocolVersion::LATEST];
    let discover = ClientLifecycleMode::Discover { preferred_versions: versions };
    let client = Heard(sender).serve_with_lifecycle(transport(&served), discover).await;
    let client = client.expect("a connection");
    let filter = SubscriptionFilter::builder().resource_subscription(ACTIVITY).build();
    let mut subscription = client.listen(filter).await.expect("a subscription");
    // The first one is that of the beginning.
    for _ in 0..3 {
        let news = timeout(PATIENCE, subscription.next()).await.expect("news").expect("news");
        let Some(ServerNotification::ResourceUpdatedNotification(news)) = news else {
            panic!("{news:?}")
        };
        assert_eq!(news.params.uri, ACTIVITY);
        change(&served.test_server, ACTIVITY);
    }
    client.cancel().await.expect("an end");
    served.stop().await;
}

/// A connection of the SDK to a server.
fn transport(
    served: &Served,
) -> StreamableHttpClientTransport<impl rmcp::transport::streamable_http_client::StreamableHttpClient>
{
    // Another test may have chosen it already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let config =
        StreamableHttpClientTransportConfig::with_uri(format!("http://{}/mcp", served.address));
    StreamableHttpClientTransport::from_config(config.auth_header(served.token.clone()))
}
