/** The end of the chain of servers. */
import { serviceUnavailable } from '@coxswain/apimachinery/errors.ts';
import type { StatusError } from '@coxswain/apimachinery';
import type { Next } from '../filters/filter.ts';
import { textResponse } from '../http/api-response.ts';
import { errorResponse } from '../negotiation/error-response.ts';

export const notFound: Next = (request) => {
  if (!request.pathsWereInstalled) return errorResponse(request, tooEarly());
  request.responseHeaders['x-content-type-options'] = 'nosniff';
  return textResponse(404, '404 page not found\n');
};

function tooEarly(): StatusError {
  const error = serviceUnavailable(
    'the request has been made before all known HTTP paths have been installed, please try again',
  );
  error.status.details = { retryAfterSeconds: 5 };
  return error;
}
