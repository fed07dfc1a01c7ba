/** The end of the chain of servers. */
import type { Next } from '../filters/filter.ts';
import { textResponse } from '../http/api-response.ts';

export const notFound: Next = (request) => {
  request.responseHeaders['x-content-type-options'] = 'nosniff';
  return textResponse(404, '404 page not found\n');
};
