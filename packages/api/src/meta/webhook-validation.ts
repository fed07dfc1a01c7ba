/** Validates the address of a webhook: a URL or a Service. */

import { checkDnsSubdomain, checkPortNumber, type FieldPath } from '@coxswain/apimachinery';
import { parseUrl, UrlTextError } from '@coxswain/apimachinery/url-text.ts';
import type { Errors } from './checks.ts';

export interface WebhookService {
  namespace?: string;
  name?: string;
  path?: string | null;
  port?: number | null;
}

export interface WebhookClient {
  url?: string | null;
  service?: WebhookService | null;
}

export function validateWebhookClient(
  { url, service }: WebhookClient,
  path: FieldPath,
  errors: Errors,
): void {
  if ((url == null) === (service == null)) {
    errors.required(path, 'exactly one of url or service is required');
  } else if (url != null) validateWebhookUrl(url, path.child('url'), errors);
  else validateWebhookService(service!, path.child('service'), errors);
}

const form = '; desired format: https://host[/path]';

function validateWebhookUrl(text: string, path: FieldPath, errors: Errors): void {
  const invalid = (value: string, detail: string): void => void errors.invalid(path, value, detail);
  try {
    const { scheme, host, user, fragment, query } = parseUrl(text);
    if (scheme !== 'https') invalid(scheme, `'https' is the only allowed URL scheme${form}`);
    if (host === '') invalid('', `host must be specified${form}`);
    if (user !== undefined) invalid(user, 'user information is not permitted in the URL');
    if (fragment !== '') invalid(fragment, 'fragments are not permitted in the URL');
    if (query !== '') invalid(query, 'query parameters are not permitted in the URL');
  } catch (error) {
    if (!(error instanceof UrlTextError)) throw error;
    errors.required(path, `url must be a valid URL: ${error.message}${form}`);
  }
}

export function validateWebhookService(service: WebhookService, path: FieldPath, errors: Errors): void {
  // Upstream confuses the two fields.
  if (!service.namespace) errors.required(path.child('name'));
  if (!service.name) errors.required(path.child('namespace'));
  const port = service.port ?? 0;
  const messages = checkPortNumber(port);
  if (messages.length > 0) {
    errors.invalid(path.child('port'), port, `port is not valid: ${messages.join(', ')}`);
  }
  if (service.path != null) validateServicePath(service.path, path.child('path'), errors);
}

function validateServicePath(text: string, path: FieldPath, errors: Errors): void {
  if (text === '/' || text === '') return;
  const invalid = (detail: string): void => void errors.invalid(path, text, detail);
  if (text === '//') {
    invalid('segment[0] may not be empty');
    return;
  }
  if (!text.startsWith('/')) invalid("must start with a '/'");
  const steps = text.slice(1).replace(/\/$/, '').split('/');
  for (const [index, step] of steps.entries()) {
    if (step === '') invalid(`segment[${index}] may not be empty`);
    else for (const message of checkDnsSubdomain(step)) invalid(`segment[${index}]: ${message}`);
  }
}
