/** Paths beside the API's groups: health, version, metrics, OpenAPI, the keys of service account tokens. */
import type { ServerServices } from '@coxswain/apiserver/services.ts';
import { log as logCheck, ping } from '@coxswain/apiserver/health/health-check.ts';
import type { HealthCheck } from '@coxswain/apiserver/health/health-check.ts';
import { installHealth } from '@coxswain/apiserver/health/health-routes.ts';
import type { ServerLife } from '@coxswain/apiserver/lifecycle/server-life.ts';
import type { Metrics } from '@coxswain/apiserver/metrics/metrics.ts';
import { installIndex, installMetrics, installVersion } from '@coxswain/apiserver/routing/index-routes.ts';
import type { DescriptionOf } from '@coxswain/schema/openapi.ts';
import type { RemoteVersion } from './aggregator/remote-groups.ts';
import { installOpenApi } from './open-api.ts';
import type { ServerChain } from './server-chain.ts';
import { installIssuerDiscovery } from './service-accounts/issuer-discovery.ts';
import type { IssuerDiscovery } from './service-accounts/issuer-discovery.ts';
import { versionInfo } from './version.ts';

export interface PlainPathParts {
  /** Of the whole chain, for the index. */
  readonly listedPaths: () => readonly string[];
  readonly remotes: () => ReadonlyMap<string, RemoteVersion>;
  readonly metrics: Metrics;
  readonly life: ServerLife;
  readonly log: (line: string) => void;
  readonly services: ServerServices;
  readonly isStoreOpen: () => boolean;
  readonly serviceAccounts: IssuerDiscovery | undefined;
  readonly descriptionOf: DescriptionOf | undefined;
}

export function installPlainPaths(chain: ServerChain, parts: PlainPathParts): void {
  const { plain } = chain.aggregator;
  const { life, log, serviceAccounts } = parts;
  installIndex(plain, parts.listedPaths);
  installVersion(plain, versionInfo);
  installMetrics(plain, parts.metrics);
  const store: HealthCheck = {
    name: 'etcd',
    check: () => (parts.isStoreOpen() ? undefined : 'the store is closed'),
  };
  const alive = () => [ping, logCheck, store, ...life.healthChecks()];
  installHealth(plain, '/healthz', alive, log);
  installHealth(plain, '/livez', alive, log);
  installHealth(plain, '/readyz', () => [...alive(), life.shutdownCheck], log);
  installOpenApi(chain, parts.services, parts.remotes, parts.descriptionOf);
  if (serviceAccounts !== undefined) installIssuerDiscovery(plain, serviceAccounts);
}
