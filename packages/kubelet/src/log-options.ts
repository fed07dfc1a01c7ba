import type { LogOptions } from './connection.ts';

/**
 * The options of a `log` request by its query, which the API server has checked.
 * `nowMs` is what `sinceSeconds` counts back from.
 */
export function logOptionsOf(query: URLSearchParams, nowMs: number, signal?: AbortSignal): LogOptions {
  const number = (name: string) => {
    const text = query.get(name);
    return text === null || text === '' ? undefined : Number(text);
  };
  const is = (name: string) => ['true', '1', 't', 'T', 'TRUE', 'True'].includes(query.get(name) ?? '');
  const sinceSeconds = number('sinceSeconds');
  const sinceTime = query.get('sinceTime');
  const sinceMs =
    sinceSeconds !== undefined ? nowMs - sinceSeconds * 1000 : sinceTime ? Date.parse(sinceTime) : undefined;
  const tailLines = number('tailLines');
  const limitBytes = number('limitBytes');
  return {
    follow: is('follow'),
    previous: is('previous'),
    timestamps: is('timestamps'),
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(limitBytes === undefined ? {} : { limitBytes }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(signal === undefined ? {} : { signal }),
  };
}
