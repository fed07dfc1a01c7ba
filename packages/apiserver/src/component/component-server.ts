/** The HTTPS server of components other than the API server: health, metrics and configuration. */
import { systemClock, type Clock } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import { AuthenticationMetrics } from '../authentication/authentication-metrics.ts';
import { AuthorizationMetrics } from '../authorization/authorization-metrics.ts';
import { alwaysAllowPaths, privilegedGroup } from '../authorization/fixed.ts';
import { unionAuthorizer } from '../authorization/union.ts';
import { flagz, type FlagTexts } from '../debug/flagz.ts';
import { installZPage } from '../debug/z-page.ts';
import { statusz } from '../debug/statusz.ts';
import { authenticate } from '../filters/authenticate.ts';
import { authorize } from '../filters/authorize.ts';
import { composeFilters } from '../filters/filter.ts';
import { installProfiles, type Profiler } from '../debug/profiles.ts';
import { installVerbosity, type Verbosity } from '../debug/verbosity.ts';
import type { HealthCheck } from '@coxswain/component-base/health-check.ts';
import { HealthMetrics } from '../health/health-metrics.ts';
import { installHealth } from '../health/health-routes.ts';
import { ApiRequest } from '../http/api-request.ts';
import { jsonResponse, textResponse, type ApiResponse } from '../http/api-response.ts';
import { withFilterHeaders } from '../http/merge-headers.ts';
import { serveSecurely, type SecureServer, type ServeRequest } from '../http/secure-serving.ts';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { stepsInSlices } from '@coxswain/apimachinery/slices.ts';
import { parseRequestInfo } from '../request-info.ts';
import { PlainRoutes, type PlainHandler } from '../routing/plain-routes.ts';
import { delegatedAuthentication } from './delegated-authentication.ts';
import { delegatedAuthorizer } from './delegated-authorizer.ts';
import type { ServingSettings } from './serving-settings.ts';
import { servingPair } from './serving-pair.ts';

export interface ComponentParts {
  /** `kube-scheduler` */
  readonly name: string;
  readonly version: string;
  readonly emulatedMinor: number;
  readonly serving: ServingSettings;
  /** The client for TokenReviews; without it only certificates authenticate. */
  readonly authenticationClient?: KubeClient | undefined;
  /** The client for SubjectAccessReviews; without it only the group system:masters is authorized. */
  readonly authorizationClient?: KubeClient | undefined;
  /** Health checks by path, such as `/healthz`; evaluated on each request, so they may grow. */
  readonly checks: Readonly<Record<string, () => readonly HealthCheck[]>>;
  /** The content of `/configz`. */
  readonly configuration: () => Readonly<Record<string, unknown>>;
  readonly flags: FlagTexts;
  readonly metrics?: Metrics;
  /** Further metrics, by path. */
  readonly expositions?: Readonly<Record<string, Metrics>>;
  /** Profiling is not offered if unset. */
  readonly profiler?: Profiler | undefined;
  /** Cannot be changed at run time if unset. */
  readonly verbosity?: Verbosity | undefined;
  readonly clock?: Clock;
  readonly log: (line: string) => void;
}

export interface ComponentServer {
  readonly port: number;
  close(): Promise<void>;
}

/** How long busy connections may take to finish when the program ends. */
const closingMsMax = 1000;

/** @throws Error with a one-line message for an address that cannot be listened on, and for unusable files */
export async function serveComponent(parts: ComponentParts): Promise<ComponentServer> {
  const { serving, clock = systemClock, log } = parts;
  const metrics = parts.metrics ?? new Metrics();
  const { authenticator, clientAuthorities, stop } = await delegatedAuthentication(
    parts.authenticationClient,
    { settings: serving, clock, metrics, log },
  );
  const authorizer = unionAuthorizer([
    privilegedGroup,
    alwaysAllowPaths(serving.alwaysAllowPaths),
    ...(parts.authorizationClient === undefined
      ? []
      : [delegatedAuthorizer(parts.authorizationClient, serving, clock)]),
  ]);
  const routes = componentRoutes(parts, metrics, clock);
  const answer = composeFilters(
    [
      authenticate({ authenticator, clock, metrics: new AuthenticationMetrics(metrics), log }),
      authorize(authorizer, new AuthorizationMetrics(metrics), clock),
    ],
    (request) => (routes.find(request.info.path) ?? notFound)(request),
  );
  const server = await serveSecurely({
    host: serving.bindAddress,
    port: serving.port,
    ...(await servingPair(parts.name, serving)),
    ...(clientAuthorities === undefined ? {} : { clientCa: clientAuthorities }),
    sharesPort: serving.sharesPort,
    servesHttp2: serving.servesHttp2,
    ...(serving.concurrentStreams > 0 ? { concurrentStreams: serving.concurrentStreams } : {}),
    minVersion: serving.tlsMinVersion,
    cipherSuites: serving.tlsCipherSuites,
    curves: serving.tlsCurves,
    clock,
    log,
    serve: serveWith(answer, clock),
  });
  log(`Serving securely on ${serving.bindAddress}:${server.address.port}`);
  return {
    port: server.address.port,
    close: () => closeAll(server, stop),
  };
}

async function closeAll(server: SecureServer, stop: () => void): Promise<void> {
  stop();
  server.stopListening();
  await server.close(closingMsMax);
}

function serveWith(
  answer: (request: ApiRequest) => ApiResponse | Promise<ApiResponse>,
  clock: Clock,
): ServeRequest {
  return async (incoming) => {
    const request = new ApiRequest(incoming);
    request.receivedAtMs = clock.now();
    request.startedAtMs = clock.monotonic();
    request.info = parseRequestInfo(incoming.method, incoming.path, incoming.query);
    request.responseHeaders['cache-control'] = 'no-cache, private';
    return withFilterHeaders(request, await answer(request));
  };
}

function componentRoutes(parts: ComponentParts, metrics: Metrics, clock: Clock): PlainRoutes {
  const routes = new PlainRoutes();
  const health = new HealthMetrics();
  health.install(routes, clock);
  for (const [path, checks] of Object.entries(parts.checks)) {
    installHealth(routes, path, () => health.observed(path.slice(1), checks()), parts.log);
  }
  const page =
    (shown: Metrics): PlainHandler =>
    async ({ owner }) =>
      textResponse(200, await stepsInSlices(shown.expositionInSteps(), clock, owner), metricsType);
  routes.add('/metrics', page(metrics));
  for (const [path, more] of Object.entries(parts.expositions ?? {})) routes.addUnlisted(path, page(more));
  routes.add('/configz', () => jsonResponse(200, parts.configuration()));
  installZPage(routes, flagz(parts.flags), parts.name);
  const status = statusz({
    clock,
    startedAtMs: clock.now(),
    runtimeVersion: process.version,
    binaryVersion: parts.version,
    emulationVersion: `1.${parts.emulatedMinor}`,
    listedPaths: () => routes.paths().filter((path) => path !== '/statusz'),
  });
  installZPage(routes, status, parts.name);
  if (parts.profiler !== undefined) installProfiles(routes, parts.profiler);
  if (parts.verbosity !== undefined) installVerbosity(routes, parts.verbosity);
  return routes;
}

const metricsType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

function notFound(request: ApiRequest): ApiResponse {
  request.responseHeaders['x-content-type-options'] = 'nosniff';
  return textResponse(404, '404 page not found\n');
}
