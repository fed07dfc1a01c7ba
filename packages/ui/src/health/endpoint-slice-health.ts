import type { Live } from '@coxswain/apimachinery';
import type { EndpointSlice } from '@coxswain/api/discovery/v1/endpoint-slice.ts';
import { inLanguages } from '../language/language.ts';
import type { Health } from './health.ts';

const text = inLanguages(
  {
    none: 'no pod matches the selector of the service',
    unready: (all: number) =>
      all === 1 ? 'its only endpoint is not ready' : `none of its ${all} endpoints is ready`,
  },
  {
    none: '没有 Pod 与服务的选择器匹配',
    unready: (all: number) => `${all} 个端点均未就绪`,
  },
);

/** A slice without ready endpoints means that nothing answers for its Service. */
export function endpointSliceHealth({ endpoints }: Live<EndpointSlice>): Health {
  const all = (endpoints ?? []).length;
  const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false).length;
  if (ready > 0) return { tone: 'ok', state: `${ready}/${all}`, reason: '' };
  return { tone: 'warn', state: `0/${all}`, reason: all === 0 ? text().none : text().unready(all) };
}
