/** What the original's router answers by itself. */
import { genericServerResponse } from '@coxswain/apimachinery/errors.ts';
import type { StatusError } from '@coxswain/apimachinery';

export const methodNotAllowedByRouter = (): StatusError => genericServerResponse({ code: 405, verb: '' });

export const notFoundByRouter = (): StatusError => genericServerResponse({ code: 404, verb: '' });
