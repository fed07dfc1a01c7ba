/** Applies the fault rules in a filter of the server, the last one before the request handler. */

import { StatusError, type Clock, type Random } from '@coxswain/apimachinery';
import type { Answer } from '@coxswain/apiserver/http/api-response.ts';
import type { Filter, Next } from '@coxswain/apiserver/filters/filter.ts';
import type { ApiRequest } from '@coxswain/apiserver/http/api-request.ts';
import { errorResponse } from '@coxswain/apiserver/negotiation/error-response.ts';
import { matchesPattern } from '../requests/request-log.ts';
import { durationMs } from '../virtual-clock.ts';
import { endingAfter } from './dropped-watch.ts';
import {
  checkFault,
  verbsOf,
  type ActiveFault,
  type Fault,
  type FaultAction,
  type Faults,
} from './fault-rules.ts';
import { readAt } from './stale-read.ts';

export interface FaultInjectorParts {
  readonly clock: Clock;
  readonly random: Random;
  /** The newest resourceVersion of the store. */
  readonly revision: () => number;
  readonly noteFault: (request: ApiRequest, what: string) => void;
}

export interface FaultInjector {
  readonly faults: Faults;
  /** When the next delayed request continues; undefined if none is delayed. */
  readonly delayedUntilMs: () => number | undefined;
  readonly filter: Filter;
}

interface Rule extends ActiveFault {
  count: number;
}

/** Requests of the server to itself never fail. */
const ownUser = 'system:apiserver';
const latencyDefault = '1s';
const lagDefault = 10;

export function faultInjector(parts: FaultInjectorParts): FaultInjector {
  let rules: readonly Rule[] = [];
  const heldBack = new HeldBack(parts.clock);
  const faults: Faults = {
    add(fault) {
      checkFault(fault);
      const rule: Rule = {
        fault,
        count: 0,
        remove: () => void (rules = rules.filter((one) => one !== rule)),
      };
      rules = [...rules, rule];
      return rule;
    },
    clear: () => void (rules = []),
    list: () => rules,
  };
  const happens = (rule: Rule, request: ApiRequest): boolean => {
    const { probability = 1, times = Number.POSITIVE_INFINITY, action } = rule.fault;
    if (rule.count >= times || !concerns(action, request) || !isMeant(rule.fault, request)) return false;
    if (probability < 1 && parts.random.next() >= probability) return false;
    rule.count++;
    parts.noteFault(request, action);
    return true;
  };
  const through = (at: number, of: readonly Rule[], request: ApiRequest, next: Next): Answer => {
    for (let index = at; index < of.length; index++) {
      const rule = of[index]!;
      if (happens(rule, request))
        return act[rule.fault.action](rule.fault, request, (later) => through(index + 1, of, later, next), {
          revision: parts.revision,
          heldBack,
        });
    }
    return next(request);
  };
  const filter: Filter = {
    step: 'inject-faults',
    handle: (request, next) =>
      rules.length === 0 || request.user.name === ownUser ? next(request) : through(0, rules, request, next),
  };
  return { faults, filter, delayedUntilMs: () => heldBack.nextMs };
}

/** Requests that are delayed. */
class HeldBack {
  readonly #clock: Clock;
  readonly #untilMs = new Set<{ readonly ms: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get nextMs(): number | undefined {
    return this.#untilMs.size === 0 ? undefined : Math.min(...[...this.#untilMs].map(({ ms }) => ms));
  }

  async wait(delayMs: number): Promise<void> {
    const until = { ms: this.#clock.now() + delayMs };
    this.#untilMs.add(until);
    try {
      await this.#clock.sleep(delayMs);
    } finally {
      this.#untilMs.delete(until);
    }
  }
}

const isMeant = (fault: Fault, { info, user }: ApiRequest): boolean =>
  info.isResourceRequest && matchesPattern({ ...info, user: user.name }, fault);

const concerns = (action: FaultAction, { info }: ApiRequest): boolean => {
  const verbs = verbsOf[action];
  if (verbs !== 'all' && !verbs.includes(info.verb)) return false;
  // Subresources have no history.
  return action !== 'staleRead' || info.subresource === '';
};

interface ActParts extends Pick<FaultInjectorParts, 'revision'> {
  readonly heldBack: HeldBack;
}

type Act = (fault: Fault, request: ApiRequest, next: Next, parts: ActParts) => Answer;

const act: Readonly<Record<FaultAction, Act>> = {
  error: ({ code = 500, message }, request) => errorResponse(request, injectedError(code, message)),
  async latency({ delay = latencyDefault }, request, next, { heldBack }) {
    await heldBack.wait(durationMs(delay));
    return next(request);
  },
  conflict({ message }, request) {
    const { name, resource, group } = request.info;
    const text =
      message ??
      `Operation cannot be fulfilled on ${resource}${group === '' ? '' : `.${group}`} "${name}": the object has been modified; please apply your changes to the latest version and try again`;
    const details = { name, kind: resource, ...(group === '' ? {} : { group }) };
    return errorResponse(request, new StatusError(409, 'Conflict', text, details));
  },
  async dropWatch({ afterEvents = 0 }, request, next) {
    return endingAfter(await next(request), afterEvents);
  },
  staleRead: ({ lag = lagDefault }, request, next, { revision }) =>
    readAt(Math.max(1, revision() - lag), request, next),
  async lostAnswer(_fault, request, next) {
    await next(request);
    return errorResponse(request, injectedError(504, 'Timeout: the answer was lost'));
  },
};

/** Upstream's reasons for these codes. */
const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

const injectedError = (code: number, message = 'a fault was injected'): StatusError =>
  new StatusError(code, reasons[code] ?? '', message);
