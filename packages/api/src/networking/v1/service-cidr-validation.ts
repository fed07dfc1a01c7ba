import { parseCidr, validateCidr, type FieldError } from '@coxswain/apimachinery';
import { wasSentEmpty } from '@coxswain/schema';
import { immutableMessage, pathOf, Errors } from '../../meta/checks.ts';
import type { StatusObject } from '../../meta/kind-object.ts';
import { subdomainName, validateMeta, validateObjectMetaUpdate } from '../../meta/object-meta-validation.ts';
import type { Condition } from '../../meta/v1/condition.ts';

type Range = StatusObject<{ cidrs?: string[] }, { conditions?: Condition[] }>;

const path = pathOf('spec', 'cidrs');

export function validateServiceRange({ metadata, spec }: Range, old: Range | undefined): FieldError[] {
  const errors = new Errors();
  validateMeta(metadata, old?.metadata, { namespaced: false, name: subdomainName }, errors);
  const cidrs = spec?.cidrs ?? [];
  if (old === undefined) {
    validateCidrs(cidrs, errors);
    return errors;
  }
  const stored = old.spec?.cidrs ?? [];
  const changed = (index: number): void => {
    if (cidrs[index] === stored[index]) return;
    errors.invalid(path.index(index), cidrs[index], immutableMessage);
  };
  if (stored.length === cidrs.length) for (let index = 0; index < cidrs.length; index++) changed(index);
  else if (stored.length === 1 && cidrs.length === 2) {
    changed(0);
    validateCidrs(cidrs, errors);
  } else errors.invalid(path, shownCidrs(spec), immutableMessage);
  return errors;
}

const shownCidrs = (spec: Range['spec']): unknown => spec?.cidrs ?? (wasSentEmpty(spec, 'cidrs') ? [] : null);

function validateCidrs(cidrs: readonly string[], errors: Errors): void {
  if (cidrs.length === 0) {
    errors.required(path, 'at least one CIDR required');
    return;
  }
  if (cidrs.length > 2) {
    errors.invalid(path, { CIDRs: cidrs }, 'may only hold up to 2 values');
    return;
  }
  for (const [index, cidr] of cidrs.entries()) errors.push(...validateCidr(path.index(index), cidr));
  const [first, second] = cidrs.map((cidr) => parseCidr(cidr)?.address.version);
  if (cidrs.length === 2 && first !== undefined && first === second) {
    errors.invalid(
      path,
      cidrs,
      'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
    );
  }
}

/** Conditions are not validated: the server's own one has no reason. */
export function validateServiceRangeStatus({ metadata }: Range, old: Range): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  return errors;
}
