/** Responses of upstream's router itself. */
import { genericServerResponse } from '@coxswain/apimachinery/errors.ts';
import type { StatusError } from '@coxswain/apimachinery';

export const methodNotAllowedByRouter = (): StatusError => genericServerResponse({ code: 405, verb: '' });

export const notFoundByRouter = (): StatusError => genericServerResponse({ code: 404, verb: '' });

/** The response to a body that no route there accepts. */
export const unsupportedByRouter = (): StatusError =>
  genericServerResponse({ code: 415, verb: '', serverMessage: '415: Unsupported Media Type' });
