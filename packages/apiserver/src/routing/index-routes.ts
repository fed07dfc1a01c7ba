/** `/`: the list of all paths. `/version`: the server's version. `/metrics`: its metrics. */
import { checkRouterAccept, checkRouterContentType } from '../negotiation/negotiate.ts';
import { utf8, type ApiResponse } from '../http/api-response.ts';
import { methodNotAllowedByRouter } from '../negotiation/refusals.ts';
import type { PlainHandler, PlainRoutes } from './plain-routes.ts';
import { indentJson } from '../negotiation/indent-json.ts';
import type { Clock } from '@coxswain/apimachinery';
import { stepsInSlices } from '@coxswain/apimachinery/slices.ts';
import { addedExpositions } from '@coxswain/apimachinery/metrics/added-expositions.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  readonly emulationMajor: string;
  readonly emulationMinor: string;
  readonly minCompatibilityMajor: string;
  readonly minCompatibilityMinor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

export function installIndex(plain: PlainRoutes, paths: () => readonly string[]): void {
  const answer = () => prettyJson({ paths: paths() });
  plain.addUnlisted('/', answer);
  plain.addUnlisted('/index.html', answer);
}

export function installVersion(plain: PlainRoutes, version: VersionInfo): void {
  const answerVersion: PlainHandler = (request) => {
    if (request.method !== 'GET') throw methodNotAllowedByRouter();
    checkRouterContentType(request, ['application/json']);
    checkRouterAccept(request, ['application/json']);
    return prettyJson(version);
  };
  plain.addRouted('/version', answerVersion);
}

/** The content type of Prometheus' text format, as upstream sends it. */
const expositionType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

/** Metrics of other threads of the same server. */
export interface OtherMetrics {
  expositions(): Promise<readonly string[]>;
  reset(): Promise<void>;
}

/**
 * @param mayReset whether DELETE resets the metrics, as upstream when profiling is enabled
 * @param others further metrics to append
 */
export function installMetrics(
  plain: PlainRoutes,
  path: string,
  metrics: Metrics,
  clock: Clock,
  mayReset: boolean,
  others?: OtherMetrics,
): void {
  const answerMetrics: PlainHandler = async ({ method, owner }) => {
    if (method !== 'DELETE' || !mayReset) {
      const own = await stepsInSlices(metrics.expositionInSteps(), clock, owner);
      const all = [own, ...((await others?.expositions()) ?? [])];
      return answer(expositionType, await stepsInSlices(addedExpositions(all), clock, owner));
    }
    metrics.reset();
    await others?.reset();
    return answer('text/plain; charset=utf-8', 'metrics reset\n');
  };
  plain.add(path, answerMetrics);
}

/** Upstream always pretty-prints these. */
const prettyJson = (value: unknown): ApiResponse =>
  answer('application/json', indentJson(JSON.stringify(value)));

const answer = (contentType: string, text: string): ApiResponse => ({
  status: 200,
  headers: { 'content-type': contentType },
  body: { kind: 'bytes', bytes: utf8(text) },
});
