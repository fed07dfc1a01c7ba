/** The log verbosity, which can be changed at run time: PUT a number to `/debug/flags/v`. */
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { textResponse } from '../http/api-response.ts';
import { readBody } from '../http/request-body.ts';
import type { PlainRoutes } from '../routing/plain-routes.ts';

/** Shared by all loggers. */
export interface Verbosity {
  level: number;
}

/** The level from which on every request is logged. */
export const requestVerbosity = 3;

const levelMax = 2 ** 31 - 1;

/** The maximum size of a body, which is a number. */
const bodyBytesMax = 1024;

const index = `<html>
<head>
<title>/debug/flags/</title>
</head>
<body>
/debug/flags/<br>
<br>
flags:<br>
<table>
<tr>v<br>
</table>
<br>
full flags configurable<br>
</body>
</html>
`;

export function installVerbosity(plain: PlainRoutes, verbosity: Verbosity): void {
  const page = () => textResponse(200, index, 'text/html; charset=utf-8');
  plain.addUnlisted('/debug/flags', page);
  plain.addPrefix('/debug/flags/', page, () => []);
  plain.addUnlisted('/debug/flags/v', async (request) => {
    request.responseHeaders['x-content-type-options'] = 'nosniff';
    if (request.method !== 'PUT') return textResponse(406, 'unsupported http method\n', 'text/plain');
    const text = new TextDecoder().decode(await readBody(request.incoming.body, bodyBytesMax));
    const problem = problemOf(text);
    if (problem !== undefined) return textResponse(400, `${problem}\n`, 'text/plain');
    verbosity.level = Number(text);
    return textResponse(200, `successfully set klog.logging.verbosity to ${text}\n`, 'text/plain');
  });
}

function problemOf(text: string): string | undefined {
  if (!/^[0-9]+$/.test(text)) return `strconv.ParseUint: parsing ${goQuote(text)}: invalid syntax`;
  return Number(text) > levelMax
    ? `strconv.ParseUint: parsing ${goQuote(text)}: value out of range`
    : undefined;
}
