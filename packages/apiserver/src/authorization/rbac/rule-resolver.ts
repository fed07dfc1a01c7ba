/**
 * Resolves the RBAC rules of a user: roles and bindings are indexed by subject, and a user's rules are compiled once
 * and kept until a role or binding changes. A decision is then a walk over the rules that apply to that user.
 */
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import type { UserInfo } from '../../user.ts';
import type { BindingObject, PolicyRule, RoleObject, Subject } from './objects.ts';
import { compileRule, type RuleCheck } from './rule.ts';

/** The rules that one binding grants to one user. */
export interface Grant {
  readonly rules: readonly RuleCheck[];
  /** `ClusterRoleBinding "a" of ClusterRole "b" to User "c"`; built on demand. */
  readonly describe: () => string;
}

export interface Grants {
  readonly cluster: readonly Grant[];
  readonly byNamespace: (namespace: string) => readonly Grant[];
  /** Problems that made bindings ineffective, such as missing roles. */
  readonly problems: (namespace: string) => readonly string[];
}

interface Found {
  readonly grants: readonly Grant[];
  readonly problems: readonly string[];
}

interface CompiledRole {
  readonly rules: readonly RuleCheck[];
}

export class RuleResolver {
  readonly #roles = new Map<string, CompiledRole>();
  /** Scope (namespace, or empty for the cluster) → binding name → binding. */
  readonly #bindings = new Map<string, Map<string, BindingObject>>();
  /** Scope and subject → bindings, in the order in which they were added. */
  readonly #bySubject = new Map<string, Set<BindingObject>>();
  #grants = new WeakMap<UserInfo, Grants>();

  putRole(role: RoleObject): void {
    this.#roles.set(roleKey(role.metadata.namespace ?? '', role.metadata.name ?? ''), {
      rules: compiled(role.rules ?? noRules),
    });
    this.#changed();
  }

  removeRole(namespace: string, name: string): void {
    this.#roles.delete(roleKey(namespace, name));
    this.#changed();
  }

  putBinding(binding: BindingObject): void {
    const scope = binding.metadata.namespace ?? '';
    this.removeBinding(scope, binding.metadata.name ?? '');
    const inScope = this.#bindings.get(scope) ?? new Map<string, BindingObject>();
    this.#bindings.set(scope, inScope.set(binding.metadata.name ?? '', binding));
    for (const subject of binding.subjects ?? []) {
      const key = subjectKey(scope, subject);
      if (key === undefined) continue;
      const bindings = this.#bySubject.get(key) ?? new Set<BindingObject>();
      this.#bySubject.set(key, bindings.add(binding));
    }
    this.#changed();
  }

  removeBinding(scope: string, name: string): void {
    const binding = this.#bindings.get(scope)?.get(name);
    if (binding === undefined) return;
    this.#bindings.get(scope)!.delete(name);
    for (const subject of binding.subjects ?? []) {
      const key = subjectKey(scope, subject);
      if (key !== undefined) this.#bySubject.get(key)?.delete(binding);
    }
    this.#changed();
  }

  /** The grants of `user`, cached by user value, since authenticators return the same value for the same user. */
  grantsOf(user: UserInfo): Grants {
    let grants = this.#grants.get(user);
    if (grants === undefined) {
      grants = this.#compile(user);
      this.#grants.set(user, grants);
    }
    return grants;
  }

  #changed(): void {
    this.#grants = new WeakMap();
  }

  #compile(user: UserInfo): Grants {
    const cluster = this.#find(user, '');
    const scopes = new Map<string, Found>();
    const inScope = (namespace: string) => {
      let found = scopes.get(namespace);
      if (found === undefined) scopes.set(namespace, (found = this.#find(user, namespace)));
      return found;
    };
    return {
      cluster: cluster.grants,
      byNamespace: (namespace) => inScope(namespace).grants,
      problems: (namespace) =>
        namespace === '' ? cluster.problems : [...cluster.problems, ...inScope(namespace).problems],
    };
  }

  #find(user: UserInfo, scope: string): Found {
    const grants: Grant[] = [];
    const problems: string[] = [];
    const seen = new Set<BindingObject>();
    for (const [key, subject] of keysOf(user, scope)) {
      for (const binding of this.#bySubject.get(key) ?? []) {
        if (seen.has(binding)) continue;
        seen.add(binding);
        const ofCluster = binding.roleRef.kind === 'ClusterRole';
        const role = this.#roles.get(roleKey(ofCluster ? '' : scope, binding.roleRef.name));
        if (role === undefined) problems.push(missing(ofCluster, binding.roleRef.name));
        else grants.push({ rules: role.rules, describe: () => describe(binding, scope, subject) });
      }
    }
    return { grants, problems };
  }
}

const noRules: readonly PolicyRule[] = [];

/** Clusters in one process that started from the same state share the values of roles. */
const compiledRules = new WeakMap<readonly PolicyRule[], readonly RuleCheck[]>();

function compiled(rules: readonly PolicyRule[]): readonly RuleCheck[] {
  let checks = compiledRules.get(rules);
  if (checks === undefined) compiledRules.set(rules, (checks = rules.map(compileRule)));
  return checks;
}

const roleKey = (namespace: string, name: string): string => `${namespace}/${name}`;

const missing = (ofCluster: boolean, name: string): string =>
  `${ofCluster ? 'clusterrole' : 'role'}.rbac.authorization.k8s.io ${goQuote(name)} not found`;

function describe(binding: BindingObject, scope: string, subject: string): string {
  const name = binding.metadata.name ?? '';
  const bound =
    scope === '' ? `ClusterRoleBinding ${goQuote(name)}` : `RoleBinding ${goQuote(`${name}/${scope}`)}`;
  return `${bound} of ${binding.roleRef.kind} ${goQuote(binding.roleRef.name)} to ${subject}`;
}

/** Service accounts are users with a well-known name prefix. */
function subjectKey(scope: string, subject: Subject): string | undefined {
  switch (subject.kind) {
    case 'User':
      return `${scope}\0u\0${subject.name}`;
    case 'Group':
      return `${scope}\0g\0${subject.name}`;
    case 'ServiceAccount': {
      const namespace = subject.namespace || scope;
      return namespace === '' ? undefined : `${scope}\0u\0system:serviceaccount:${namespace}:${subject.name}`;
    }
    default:
      return undefined;
  }
}

function* keysOf(user: UserInfo, scope: string): Iterable<readonly [key: string, described: string]> {
  yield [`${scope}\0u\0${user.name}`, describeUser(user.name)];
  for (const group of user.groups) yield [`${scope}\0g\0${group}`, `Group ${goQuote(group)}`];
}

function describeUser(name: string): string {
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name);
  return account === null
    ? `User ${goQuote(name)}`
    : `ServiceAccount ${goQuote(`${account[2]}/${account[1]}`)}`;
}
