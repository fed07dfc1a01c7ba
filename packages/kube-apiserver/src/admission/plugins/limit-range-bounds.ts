/** Checks amounts against the bounds of LimitRanges, with upstream's messages. */
import {
  approximateFloat,
  compareQuantities,
  formatQuantity,
  isZeroQuantity,
  parseQuantity,
} from '@coxswain/apimachinery';
import type { LimitRangeItem } from '@coxswain/api/core/v1/limit-range-spec.ts';
import type { Totals } from '@coxswain/api/core/v1/pod/pod-totals.ts';

export const boundErrors = (limit: LimitRangeItem, requests: Totals, limits: Totals): string[] => [
  ...eachOf(limit.min, (name, bound) => minimumError(limit.type, name, bound, requests, limits)),
  ...eachOf(limit.max, (name, bound) => maximumError(limit.type, name, bound, requests, limits)),
  ...eachOf(limit.maxLimitRequestRatio, (name, bound) =>
    ratioError(limit.type, name, bound, requests, limits),
  ),
];

/** Claims have no limits, so their requests are checked. */
export const claimBoundErrors = (limit: LimitRangeItem, requests: Totals): string[] => [
  ...eachOf(limit.min, (name, bound) => minimumError(limit.type, name, bound, requests, new Map())),
  ...eachOf(limit.max, (name, bound) => {
    const request = requests.get(name);
    const subject = `maximum ${name} usage per ${limit.type} is ${bound}`;
    if (request === undefined) return `${subject}.  No request is specified`;
    return compareQuantities(request, parseQuantity(bound)) > 0
      ? `${subject}, but request is ${formatQuantity(request)}`
      : undefined;
  }),
];

function eachOf(
  bounds: Readonly<Record<string, string>> | undefined,
  check: (name: string, bound: string) => string | undefined,
): string[] {
  return Object.entries(bounds ?? {}).flatMap(([name, bound]) => check(name, bound) ?? []);
}

function minimumError(type: string, name: string, bound: string, requests: Totals, limits: Totals) {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const subject = `minimum ${name} usage per ${type} is ${bound}`;
  const least = parseQuantity(bound);
  if (request === undefined) return `${subject}.  No request is specified`;
  if (compareQuantities(request, least) < 0) return `${subject}, but request is ${formatQuantity(request)}`;
  if (limit !== undefined && compareQuantities(limit, least) < 0) {
    return `${subject}, but limit is ${formatQuantity(limit)}`;
  }
  return undefined;
}

function maximumError(type: string, name: string, bound: string, requests: Totals, limits: Totals) {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const subject = `maximum ${name} usage per ${type} is ${bound}`;
  const most = parseQuantity(bound);
  if (limit === undefined) return `${subject}.  No limit is specified`;
  if (compareQuantities(limit, most) > 0) return `${subject}, but limit is ${formatQuantity(limit)}`;
  if (request !== undefined && compareQuantities(request, most) > 0) {
    return `${subject}, but request is ${formatQuantity(request)}`;
  }
  return undefined;
}

function ratioError(type: string, name: string, bound: string, requests: Totals, limits: Totals) {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const subject = `${name} max limit to request ratio per ${type} is ${bound}, but`;
  if (request === undefined || isZeroQuantity(request))
    return `${subject} no request is specified or request is 0`;
  if (limit === undefined || isZeroQuantity(limit)) return `${subject} no limit is specified or limit is 0`;
  const ratio = approximateFloat(limit) / approximateFloat(request);
  return ratio > approximateFloat(parseQuantity(bound))
    ? `${subject} provided ratio is ${ratio.toFixed(6)}`
    : undefined;
}
