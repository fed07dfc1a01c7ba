/** `/debug/pprof/`: CPU and memory profiles in the format of pprof. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { textResponse, type ApiResponse } from '../http/api-response.ts';
import type { PlainRoutes } from '../routing/plain-routes.ts';

export interface Profiler {
  /** Returns a compressed pprof profile. @throws Error when another one is in progress */
  cpu(durationMs: number): Promise<Uint8Array>;
  /** Returns a profile of the memory that was allocated during `durationMs` and is still in use. */
  heap(durationMs: number): Promise<Uint8Array>;
}

interface ProfileSort {
  readonly name: 'profile' | 'heap';
  readonly secondsDefault: number;
  readonly about: string;
  make(profiler: Profiler, durationMs: number): Promise<Uint8Array>;
}

/** A longer profile would use too much memory. */
const secondsMax = 600;

const sorts: readonly ProfileSort[] = [
  {
    name: 'heap',
    secondsDefault: 1,
    about: 'What was allocated in some seconds (GET parameter) and is still in use.',
    make: (profiler, durationMs) => profiler.heap(durationMs),
  },
  {
    name: 'profile',
    secondsDefault: 30,
    about: 'Where the time of the processor went in some seconds (GET parameter).',
    make: (profiler, durationMs) => profiler.cpu(durationMs),
  },
];

export function installProfiles(plain: PlainRoutes, profiler: Profiler): void {
  plain.addUnlisted('/debug/pprof', toIndex);
  plain.addPrefix(
    '/debug/pprof/',
    (request) => other(request),
    () => [],
  );
  for (const sort of sorts) {
    plain.addUnlisted(`/debug/pprof/${sort.name}`, (request) => profile(request, profiler, sort));
  }
}

const toIndex = (): ApiResponse => ({
  ...textResponse(302, '<a href="/debug/pprof/">Found</a>.\n\n', 'text/html; charset=utf-8'),
  headers: { 'content-type': 'text/html; charset=utf-8', location: '/debug/pprof/' },
});

function other(request: ApiRequest): ApiResponse {
  request.responseHeaders['x-content-type-options'] = 'nosniff';
  if (request.info.path === '/debug/pprof/') return textResponse(200, index, 'text/html; charset=utf-8');
  request.responseHeaders['x-go-pprof'] = '1';
  return textResponse(404, 'Unknown profile\n');
}

const index = `<html>
<head>
<title>/debug/pprof/</title>
</head>
<body>
/debug/pprof/
<br>
<table>
${sorts.map(({ name, about }) => `<tr><td><a href='${name}'>${name}</a></td><td>${about}</td></tr>`).join('\n')}
</table>
</body>
</html>
`;

async function profile(
  request: ApiRequest,
  profiler: Profiler,
  { name, secondsDefault, make }: ProfileSort,
): Promise<ApiResponse> {
  const given = Number(request.parameters.get('seconds') ?? '');
  const seconds = given > 0 ? Math.min(given, secondsMax) : secondsDefault;
  request.responseHeaders['x-content-type-options'] = 'nosniff';
  try {
    const bytes = await make(profiler, seconds * 1000);
    return {
      status: 200,
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${name}"`,
      },
      body: { kind: 'bytes', bytes },
    };
  } catch (failure) {
    request.responseHeaders['x-go-pprof'] = '1';
    return textResponse(500, `Could not enable profiling: ${messageOf(failure)}\n`);
  }
}
