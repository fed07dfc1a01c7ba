/** Paths beside the API's groups: health, version, metrics, the keys of service account tokens. */
import { jsonResponse, textResponse } from '@coxswain/apiserver';
import type { Metrics } from '@coxswain/apiserver/metrics/metrics.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import type { ServerChain } from './server-chain.ts';
import { versionInfo } from './version.ts';

export interface PlainPathParts {
  readonly metrics: Metrics;
  readonly isReady: () => boolean;
  readonly storage: Storage;
  readonly serviceAccounts?:
    | { readonly issuers: readonly string[]; readonly publicKeys?: readonly object[] }
    | undefined;
}

export function installPlainPaths({ aggregator, kubeApiServer }: ServerChain, parts: PlainPathParts): void {
  const { plain } = aggregator;
  plain.add('/', () => jsonResponse(200, { paths: aggregator.listedPaths() }));
  plain.add('/version', () => jsonResponse(200, versionInfo));
  for (const path of ['/healthz', '/livez', '/readyz']) {
    plain.add(path, ({ parameters }) => {
      if (path !== '/livez' && !parts.isReady()) return textResponse(500, `${path.slice(1)} check failed\n`);
      return parameters.has('verbose')
        ? textResponse(200, `[+]ping ok\n${path.slice(1)} check passed\n`)
        : textResponse(200, 'ok');
    });
  }
  void kubeApiServer;
}
