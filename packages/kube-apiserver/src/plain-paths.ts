/** Non-resource paths: health, version, metrics, OpenAPI, the keys of service account tokens. */
import type { ServerServices } from '@coxswain/apiserver/services/services.ts';
import { log as logCheck, ping, type HealthCheck } from '@coxswain/component-base/health-check.ts';
import { installHealth } from '@coxswain/apiserver/health/health-routes.ts';
import type { ServerLifecycle } from '@coxswain/apiserver/lifecycle/server-lifecycle.ts';
import { installFlowControlDumps } from '@coxswain/apiserver/debug/flow-control-dumps.ts';
import type { FlowControl } from '@coxswain/apiserver/flow-control/flow-control.ts';
import { installIndex, installMetrics, installVersion } from '@coxswain/apiserver/routing/index-routes.ts';
import { installDebugPages } from './observability/debug-pages.ts';
import { HealthMetrics } from '@coxswain/apiserver/health/health-metrics.ts';
import type { ServedGroups } from './aggregator/served-groups.ts';
import { installOpenApi } from './open-api.ts';
import type { ServerChain } from './server-chain.ts';
import { installIssuerDiscovery } from './service-accounts/issuer-discovery.ts';
import { fixedKeys } from './service-accounts/token-keys.ts';
import type { ServerState } from './server/server-state.ts';
import type { CompletedOptions } from './server/completed-options.ts';
import { versionAnswer } from '@coxswain/component-base/effective-version.ts';
import { versionInfo } from '@coxswain/component-base/version.ts';

export interface PlainPathParts {
  readonly chain: ServerChain;
  /** The paths of the whole chain, for the index. */
  readonly listedPaths: () => readonly string[];
  readonly servedGroups: ServedGroups;
  readonly life: ServerLifecycle;
  readonly handlers: ServerServices;
  readonly flowControl: FlowControl | undefined;
}

export function installPlainPaths(
  options: CompletedOptions,
  { loopback, storage }: ServerState,
  parts: PlainPathParts,
): void {
  const { chain, life, handlers } = parts;
  const { plain } = chain.aggregator;
  const { log, serviceAccounts, where } = options;
  const health = new HealthMetrics();
  installIndex(plain, parts.listedPaths);
  const { gitVersion = versionInfo.gitVersion, profiler } = options.observability ?? {};
  installVersion(plain, { ...versionAnswer(options.features.version), gitVersion });
  const mayReset = profiler !== undefined;
  installMetrics(plain, '/metrics', handlers.metrics, handlers.clock, mayReset, options.otherMetrics);
  health.install(plain, handlers.clock, mayReset);
  options.extraPaths?.(plain);
  installDebugPages(plain, options, parts.listedPaths);
  if (parts.flowControl !== undefined) {
    installFlowControlDumps(plain, parts.flowControl.controller, handlers.clock);
  }
  const open = (name: string, problem: () => string | undefined = () => undefined): HealthCheck => ({
    name,
    check: () => (storage.isOpen ? problem() : 'the store is closed'),
  });
  const { aliveChecks, readyChecks, keyChecks } = where;
  const etcd = aliveChecks.length > 0 ? aliveChecks : [open('etcd')];
  const readiness = readyChecks.length > 0 ? readyChecks : [open('etcd-readiness', () => where.problem())];
  const first = [ping, logCheck];
  const alive = [...first, loopbackCertificate, ...etcd];
  const hooks = () => life.healthChecks();
  const checked = (type: string, checks: () => readonly HealthCheck[]) =>
    installHealth(plain, `/${type}`, () => health.observed(type, checks()), log);
  checked('healthz', () => [...alive, ...keyChecks, ...hooks()]);
  checked('livez', () => [...alive, ...life.liveChecks()]);
  const stored = [...first, ...etcd, ...readiness, ...keyChecks, caughtUp];
  checked('readyz', () => [...stored, ...hooks(), life.shutdownCheck]);
  installOpenApi(chain, handlers, parts.servedGroups.remotes, {
    version: `1.${options.features.version.emulated}`,
    ...(options.descriptionOf && { descriptionOf: options.descriptionOf }),
  });
  const serverAddress = () => `${options.externalHostname}:${loopback.port}`;
  if (serviceAccounts !== undefined) {
    const { keys = fixedKeys([]) } = serviceAccounts;
    installIssuerDiscovery(plain, { ...serviceAccounts, keys, serverAddress });
  }
}

/** The server's requests to itself don't use TLS, so there is no certificate to check. */
const loopbackCertificate: HealthCheck = { name: 'loopback-serving-certificate', check: () => undefined };

/** All watchers of the store have read it before the server listens. */
const caughtUp: HealthCheck = { name: 'informer-sync', check: () => undefined };
