/** The configuration of EventRateLimit. */
import {
  aggregateFieldErrors,
  invalidError,
  notSupportedError,
  type FieldError,
} from '@coxswain/apimachinery';
import { PrintedValue } from '@coxswain/apimachinery/field-error.ts';
import { always, int32, list, optional, string, struct } from '@coxswain/schema';
import { decodeConfiguration } from '@coxswain/apimachinery/configuration/decode-configuration.ts';
import type { EventLimit, EventLimitType } from '../plugins/event-rate-limit.ts';

const Limit = struct('Limit', {
  type: always(1, string),
  qps: always(2, int32),
  burst: always(3, int32),
  cacheSize: optional(4, int32),
});

const form = {
  kinds: ['eventratelimit.admission.k8s.io/v1alpha1 Configuration'],
  type: struct('Configuration', {
    kind: optional(0, string),
    apiVersion: optional(0, string),
    limits: always(1, list(Limit)),
  }),
  isStrict: false,
};

const limitTypes: readonly EventLimitType[] = ['Server', 'Namespace', 'User', 'SourceAndObject'];

/** @throws Error with upstream's message; there is no default */
export function readEventLimits(text: string | undefined): readonly EventLimit[] {
  const stated = text === undefined ? undefined : decodeConfiguration(text, form).limits;
  const limits = (stated ?? []).map(({ type, qps, burst, cacheSize = 0 }) => ({
    type,
    qps,
    burst,
    cacheSize,
  }));
  const errors =
    limits.length === 0
      ? [invalidError('limits', new PrintedValue(stated ? '[]' : 'null'), 'must not be empty')]
      : limits.flatMap((limit, index) => errorsOf(limit, `limits[${index}]`));
  if (errors.length > 0) throw new Error(aggregateFieldErrors(errors));
  return limits as readonly EventLimit[];
}

function errorsOf(
  { type, qps, burst, cacheSize }: Omit<EventLimit, 'type'> & { readonly type: string },
  path: string,
): FieldError[] {
  const positive = (member: string, value: number) =>
    value > 0 ? [] : [invalidError(`${path}.${member}`, value, 'must be positive')];
  return [
    ...(limitTypes.includes(type as EventLimitType)
      ? []
      : [notSupportedError(`${path}.type`, type, limitTypes)]),
    ...positive('burst', burst),
    ...positive('qps', qps),
    ...(type !== 'Server' && cacheSize < 0
      ? [invalidError(`${path}.cacheSize`, cacheSize, 'must not be negative')]
      : []),
  ];
}
