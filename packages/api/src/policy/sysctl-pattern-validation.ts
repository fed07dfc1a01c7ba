/** Validates the sysctls that a policy allows and forbids; a pattern ends with a star. */
import type { FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../meta/checks.ts';

interface SysctlLists {
  readonly allowedUnsafeSysctls?: readonly string[];
  readonly forbiddenSysctls?: readonly string[];
}

export function validateSysctlPatterns(
  { allowedUnsafeSysctls: allowed = [], forbiddenSysctls: forbidden = [] }: SysctlLists,
  parent: FieldPath,
  errors: Errors,
): void {
  const allowedPath = parent.child('allowedUnsafeSysctls');
  const forbiddenPath = parent.child('forbiddenSysctls');
  validatePatterns(allowed, allowedPath, errors);
  validatePatterns(forbidden, forbiddenPath, errors);
  for (const [index, one] of allowed.entries()) {
    for (const [at, other] of forbidden.entries()) {
      if (covers(other, one)) {
        errors.invalid(allowedPath.index(index), one, `sysctl overlaps with ${other}`);
      } else if (covers(one, other)) {
        errors.invalid(forbiddenPath.index(at), other, `sysctl overlaps with ${one}`);
      }
    }
  }
}

const covers = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.replace(/\*$/, '').startsWith(pattern.slice(0, -1)) : pattern === name;

const segment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const patternFormat = `(${segment}\\.)*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]`;
const patternRegExp = new RegExp(`^${patternFormat}$`);
const lengthMax = 253;

function validatePatterns(sysctls: readonly string[], path: FieldPath, errors: Errors): void {
  let coversAll = false;
  for (const [index, name] of sysctls.entries()) {
    if (name === '') errors.invalid(path.index(index), name, 'empty sysctl not allowed');
    else if (name.length > lengthMax || !patternRegExp.test(name)) {
      const detail = `must have at most ${lengthMax} characters and match regex ${patternFormat}`;
      errors.invalid(path.index(index), name, detail);
    } else if (name.startsWith('*')) coversAll = true;
  }
  if (coversAll && sysctls.length > 1) {
    errors.forbidden(path.child('items'), "if '*' is present, must not specify other sysctls");
  }
}
