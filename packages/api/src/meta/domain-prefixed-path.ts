import { checkDnsSubdomain, patternMessage, type FieldPath } from '@coxswain/apimachinery';
import { check, type Errors } from './checks.ts';

const httpPathFormat = String.raw`[A-Za-z0-9/\-._~%!$&'()*+,;=:]+`;
const httpPath = new RegExp(`^${httpPathFormat}$`);

/** Validates a name of the form `example.com/controller`. */
export function validateDomainPrefixedPath(value: string, path: FieldPath, errors: Errors): void {
  const slash = value.indexOf('/');
  if (value === '') errors.required(path);
  else if (slash <= 0 || slash === value.length - 1) {
    errors.invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")');
  } else {
    check(value.slice(0, slash), path, checkDnsSubdomain, errors);
    const rest = value.slice(slash + 1);
    if (!httpPath.test(rest)) {
      errors.invalid(path, rest, patternMessage('Invalid path', httpPathFormat));
    }
  }
}
