/** Counts what is under way, so that a stopping server can wait for it; watches apart from the rest. */
import type { RequestCounter } from '../lifecycle/request-counter.ts';
import type { Filter } from './filter.ts';

export const countInFlight = (counter: RequestCounter): Filter => ({
  step: 'count-in-flight',
  handle(request, next) {
    if (request.longRunning) return next(request);
    counter.enter();
    let answer;
    try {
      answer = next(request);
    } catch (failure) {
      counter.leave();
      throw failure;
    }
    if (!(answer instanceof Promise)) {
      counter.leave();
      return answer;
    }
    return answer.finally(() => counter.leave());
  },
});
