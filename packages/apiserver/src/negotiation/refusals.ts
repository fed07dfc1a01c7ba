/** What the original's router answers by itself. */
import { genericServerResponse } from '@coxswain/apimachinery/errors.ts';
import type { StatusError } from '@coxswain/apimachinery';

export const methodNotAllowedByRouter = (): StatusError => genericServerResponse({ code: 405, verb: '' });

export const notFoundByRouter = (): StatusError => genericServerResponse({ code: 404, verb: '' });

/** Of a body that no route there has a use for. */
export const unsupportedByRouter = (): StatusError =>
  genericServerResponse({ code: 415, verb: '', serverMessage: '415: Unsupported Media Type' });
