/** `/healthz`, `/livez` and `/readyz`: all checks together, each by its name, with `verbose` and `exclude`. */
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { textResponse, type ApiResponse } from '../http/api-response.ts';
import type { PlainHandler, PlainRoutes } from '../routing/plain-routes.ts';
import type { HealthCheck } from '@coxswain/component-base/health-check.ts';

/** The list of checks is read at each request, since it may grow until the server runs. */
export function installHealth(
  plain: PlainRoutes,
  path: string,
  checks: () => readonly HealthCheck[],
  logLine: (line: string) => void,
): void {
  const name = path.slice(1);
  const allChecks: PlainHandler = (request) => answerAll(request, name, checks(), logLine);
  const oneCheck: PlainHandler = (request) =>
    answerOne(request, request.info.path.slice(path.length + 1), checks());
  plain.add(path, allChecks);
  plain.addPrefix(`${path}/`, oneCheck, () => checks().map((check) => `${path}/${check.name}`));
}

async function answerAll(
  request: ApiRequest,
  name: string,
  checks: readonly HealthCheck[],
  logLine: (line: string) => void,
): Promise<ApiResponse> {
  const excluded = new Set(request.parameters.getAll('exclude'));
  let report = '';
  const failures: string[] = [];
  for (const check of checks) {
    if (excluded.delete(check.name)) {
      report += `[+]${check.name} excluded: ok\n`;
      continue;
    }
    const problem = await check.check();
    if (problem === undefined) report += `[+]${check.name} ok\n`;
    else {
      // The reason is only in the log, since readers of this page need not be trusted with it.
      report += `[-]${check.name} failed: reason withheld\n`;
      failures.push(`${check.name}: ${problem}`);
    }
  }
  if (excluded.size > 0) {
    const unknown = [...excluded].sort().map(goQuote).join(', ');
    report += `warn: some health checks cannot be excluded: no matches for ${unknown}\n`;
  }
  request.responseHeaders['x-content-type-options'] = 'nosniff';
  if (failures.length > 0) {
    logLine(`${name} check failed: ${failures.join('; ')}`);
    return textResponse(500, `${report}${name} check failed\n`);
  }
  return textResponse(200, request.parameters.has('verbose') ? `${report}${name} check passed\n` : 'ok');
}

async function answerOne(
  request: ApiRequest,
  name: string,
  checks: readonly HealthCheck[],
): Promise<ApiResponse> {
  const check = checks.find((one) => one.name === name);
  if (check === undefined) return refusal(request, 404, '404 page not found\n');
  const problem = await check.check();
  return problem === undefined
    ? textResponse(200, 'ok')
    : refusal(request, 500, `internal server error: ${problem}\n`);
}

function refusal(request: ApiRequest, status: number, text: string): ApiResponse {
  request.responseHeaders['x-content-type-options'] = 'nosniff';
  return textResponse(status, text);
}
