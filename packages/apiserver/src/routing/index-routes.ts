/** `/`: all paths there are. `/version`: what this server is. `/metrics`: its counters. */
import { checkRouterAccept, checkRouterContentType } from '../negotiation/negotiate.ts';
import { utf8, type ApiResponse } from '../http/api-response.ts';
import { methodNotAllowedByRouter } from './refusals.ts';
import type { PlainRoutes } from './plain-routes.ts';
import { indentJson } from '../negotiation/indent-json.ts';
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
  plain.addRouted('/version', (request) => {
    if (request.method !== 'GET') throw methodNotAllowedByRouter();
    checkRouterContentType(request, ['application/json']);
    checkRouterAccept(request, ['application/json']);
    return prettyJson(version);
  });
}

/** Of Prometheus' text format, as the original names it. */
const expositionType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

/** @param mayReset whether DELETE lets the counting begin anew, as in the original where profiling is on */
export function installMetrics(plain: PlainRoutes, path: string, metrics: Metrics, mayReset: boolean): void {
  plain.add(path, ({ method }) => {
    if (method !== 'DELETE' || !mayReset) return answer(expositionType, metrics.exposition());
    metrics.reset();
    return answer('text/plain; charset=utf-8', 'metrics reset\n');
  });
}

/** The original writes these for people, whoever asks. */
const prettyJson = (value: unknown): ApiResponse =>
  answer('application/json', indentJson(JSON.stringify(value)));

const answer = (contentType: string, text: string): ApiResponse => ({
  status: 200,
  headers: { 'content-type': contentType },
  body: { kind: 'bytes', bytes: utf8(text) },
});
