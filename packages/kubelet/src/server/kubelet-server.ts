/** The kubelet's HTTPS port, for clients with access to the node and its containers. */
import { systemClock, type Clock } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { ApiResponse } from '@coxswain/apiserver';
import { AuthenticationMetrics } from '@coxswain/apiserver/authentication/authentication-metrics.ts';
import { allowed, type Authorizer } from '@coxswain/apiserver/authorization/authorizer.ts';
import { delegatedAuthentication } from '@coxswain/apiserver/component/delegated-authentication.ts';
import { delegatedAuthorizer } from '@coxswain/apiserver/component/delegated-authorizer.ts';
import { servingPair } from '@coxswain/apiserver/component/serving-pair.ts';
import { authenticate } from '@coxswain/apiserver/filters/authenticate.ts';
import { composeFilters } from '@coxswain/apiserver/filters/filter.ts';
import { ApiRequest } from '@coxswain/apiserver/http/api-request.ts';
import { withFilterHeaders } from '@coxswain/apiserver/http/merge-headers.ts';
import { serveSecurely } from '@coxswain/apiserver/http/secure-serving.ts';
import { parseRequestInfo } from '@coxswain/apiserver/request-info.ts';
import { TokenBucket, type KubeClient } from '@coxswain/client';
import type { ServingCertificates } from '../certificates/serving-certificates.ts';
import type { KubeletSettings } from '../config/kubelet-configuration.ts';
import { authorizeKubelet } from './authorize-kubelet.ts';
import { answerPage } from './pages.ts';
import type { KubeletPages } from './kubelet-pages.ts';

export interface KubeletServerOptions extends KubeletPages {
  readonly settings: KubeletSettings;
  /** Sends token and access reviews. */
  readonly client: KubeClient;
  /** The directory for a self-signed certificate. */
  readonly certDirectory: string;
  /** Set if the cluster signs the certificate. */
  readonly certificates?: ServingCertificates | undefined;
  readonly clock?: Clock;
  readonly log: (line: string) => void;
}

export interface KubeletServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Without a signed certificate, no handshake succeeds. */
const noPair = { cert: '', key: '' };

/** Of tokens and of permissions, whose answers are remembered for a while. */
const reviewsPerSecond = 50;
const reviewsAtOnce = 100;

/** How long active connections may continue when the kubelet stops. */
const closingMsMax = 1000;

/** @throws Error with one line if the address cannot be listened on, and errors about unusable files */
export async function serveKubelet(options: KubeletServerOptions): Promise<KubeletServer> {
  const { settings, log, clock = systemClock } = options;
  // Strangers cause reviews, which must not take the turns of the kubelet's own requests.
  const rateLimiter = new TokenBucket(clock, reviewsPerSecond, reviewsAtOnce);
  const client = options.client.with({ rateLimiter });
  const { x509, webhook, anonymous } = settings.authentication;
  const authentication = await delegatedAuthentication(webhook.enabled ? client : undefined, {
    clock,
    log,
    metrics: new Metrics(),
    settings: servingSettings(options, x509.clientCAFile, webhook.cacheTTL),
  });
  const answer = composeFilters(
    [
      authenticate({
        authenticator: authentication.authenticator,
        clock,
        metrics: new AuthenticationMetrics(new Metrics()),
        log,
      }),
      authorizeKubelet({
        authorizer: authorizerOf(settings, client, clock),
        nodeName: options.nodeName,
        acceptsAnonymous: anonymous.enabled,
      }),
    ],
    (request) => answerPage(request, options),
  );
  const serving = servingSettings(options, x509.clientCAFile, webhook.cacheTTL);
  const clientCa = authentication.clientAuthorities;
  const server = await serveSecurely({
    host: settings.address,
    port: settings.port,
    ...(options.certificates === undefined
      ? await servingPair('kubelet', serving)
      : (options.certificates.current ?? noPair)),
    clientCa,
    minVersion: settings.tlsMinVersion,
    cipherSuites: settings.tlsCipherSuites,
    curves: settings.tlsCurvePreferences,
    clock,
    log,
    async serve(incoming): Promise<ApiResponse> {
      const request = new ApiRequest(incoming);
      request.receivedAtMs = clock.now();
      request.startedAtMs = clock.monotonic();
      request.info = parseRequestInfo(incoming.method, incoming.path, incoming.query);
      return withFilterHeaders(request, await answer(request));
    },
  });
  options.certificates?.follow((pair) => server.exchangeTls({ ...pair, clientCa }));
  return {
    port: server.address.port,
    async close() {
      authentication.stop();
      server.stopListening();
      await server.close(closingMsMax);
      await options.certificates?.stopped;
    },
  };
}

function authorizerOf({ authorization }: KubeletSettings, client: KubeClient, clock: Clock): Authorizer {
  const { mode, webhook } = authorization;
  if (mode === 'AlwaysAllow') return { name: 'always-allow', decide: () => allowed };
  const ttls = {
    authorizedTtlMs: webhook.cacheAuthorizedTTL,
    unauthorizedTtlMs: webhook.cacheUnauthorizedTTL,
  };
  return delegatedAuthorizer(client, ttls, clock);
}

const servingSettings = (
  { settings, certDirectory }: KubeletServerOptions,
  clientCaFile: string,
  tokenTtlMs: number,
) => ({
  bindAddress: settings.address,
  port: settings.port,
  sharesPort: false,
  servesHttp2: true,
  concurrentStreams: 0,
  certDir: certDirectory,
  tlsCertFile: settings.tlsCertFile,
  tlsPrivateKeyFile: settings.tlsPrivateKeyFile,
  tlsMinVersion: settings.tlsMinVersion,
  tlsCipherSuites: settings.tlsCipherSuites,
  tlsCurves: settings.tlsCurvePreferences,
  clientCaFile,
  requestHeaderCaFile: '',
  requestHeaderAllowedNames: [],
  requestHeaders: { usernameHeaders: [], uidHeaders: [], groupHeaders: [], extraHeaderPrefixes: [] },
  // The kubelet's own configuration names the client CA.
  skipsLookup: true,
  toleratesLookupFailure: true,
  tokenTtlMs,
  authorizedTtlMs: 0,
  unauthorizedTtlMs: 0,
  alwaysAllowPaths: [],
});
