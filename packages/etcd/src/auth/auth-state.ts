/**
 * Users, roles and permissions as one immutable value. Each change is a function from one state to the next, which
 * throws etcd's error if the change is not possible.
 */
import { compareText } from '@coxswain/apimachinery/compare-text.ts';
import { etcdError } from '@coxswain/storage/etcd/etcd-errors.ts';

export interface AuthState {
  readonly isEnabled: boolean;
  /** Incremented by each change, starting at 1. */
  readonly revision: number;
  readonly users: Readonly<Record<string, User>>;
  readonly roles: Readonly<Record<string, Role>>;
}

/** The hashes from `password.ts`; unset for users who authenticate with a certificate only. */
export interface HashedPassword {
  /** The hash that this server verifies, off the main thread. */
  readonly passwordHash?: string | undefined;
  /** The hash that etcd verifies, for snapshots. */
  readonly portableHash?: string | undefined;
}

export interface User extends HashedPassword {
  readonly roles: readonly string[];
}

export interface Role {
  readonly permissions: readonly Permission[];
}

export interface Permission {
  readonly type: PermissionType;
  /** Byte strings, see `key-bytes.ts`. An empty end means this single key; `\0` means everything from it on. */
  readonly key: string;
  readonly rangeEnd: string;
}

export type PermissionType = 'read' | 'write' | 'readwrite';

/** The user and the role that may do everything. */
export const root = 'root';

const noUsers: AuthState['users'] = Object.create(null) as AuthState['users'];
const noRoles: AuthState['roles'] = Object.create(null) as AuthState['roles'];
export const emptyAuthState: AuthState = { isEnabled: false, revision: 1, users: noUsers, roles: noRoles };

export function enabled(state: AuthState): AuthState {
  if (state.isEnabled) return state;
  const user = state.users[root];
  if (user === undefined) throw etcdError('noRootUser');
  if (!user.roles.includes(root)) throw etcdError('noRootRole');
  return { ...state, isEnabled: true };
}

export const disabled = (state: AuthState): AuthState =>
  state.isEnabled ? changed({ ...state, isEnabled: false }) : state;

export function userOf(state: AuthState, name: string): User {
  const user = state.users[name];
  if (user === undefined) throw etcdError('userNotFound');
  return user;
}

export function roleOf(state: AuthState, name: string): Role {
  const role = state.roles[name];
  if (role === undefined) throw etcdError('roleNotFound');
  return role;
}

export function withNewUser(state: AuthState, name: string, password: HashedPassword): AuthState {
  if (name === '') throw etcdError('userEmpty');
  if (state.users[name] !== undefined) throw etcdError('userExists');
  return withUser(state, name, { ...password, roles: [] });
}

export function withoutUser(state: AuthState, name: string): AuthState {
  if (state.isEnabled && name === root) throw etcdError('invalidAuthManagement');
  userOf(state, name);
  return changed({ ...state, users: without(state.users, name) });
}

export const withPassword = (state: AuthState, name: string, password: HashedPassword): AuthState =>
  withUser(state, name, { ...password, roles: userOf(state, name).roles });

export function withGrantedRole(state: AuthState, userName: string, role: string): AuthState {
  const user = userOf(state, userName);
  if (role !== root) roleOf(state, role);
  if (user.roles.includes(role)) return state;
  return withUser(state, userName, { ...user, roles: [...user.roles, role].sort() });
}

export function withRevokedRole(state: AuthState, userName: string, role: string): AuthState {
  if (state.isEnabled && userName === root && role === root) throw etcdError('invalidAuthManagement');
  const user = userOf(state, userName);
  if (!user.roles.includes(role)) throw etcdError('roleNotGranted');
  return withUser(state, userName, { ...user, roles: user.roles.filter((each) => each !== role) });
}

export function withNewRole(state: AuthState, name: string): AuthState {
  if (name === '') throw etcdError('roleEmpty');
  if (state.roles[name] !== undefined) throw etcdError('roleExists');
  return withRole(state, name, { permissions: [] });
}

/** Also removes the role from users. */
export function withoutRole(state: AuthState, name: string): AuthState {
  if (state.isEnabled && name === root) throw etcdError('invalidAuthManagement');
  roleOf(state, name);
  const users = Object.entries(state.users).map(([userName, user]) => [
    userName,
    { ...user, roles: user.roles.filter((role) => role !== name) },
  ]);
  return changed({ ...state, users: recordOf(users as [string, User][]), roles: without(state.roles, name) });
}

export function withPermission(state: AuthState, name: string, permission: Permission): AuthState {
  const { key, rangeEnd } = permission;
  if (rangeEnd !== '' && rangeEnd !== '\0' && key >= rangeEnd) throw etcdError('invalidAuthManagement');
  const kept = roleOf(state, name).permissions.filter((each) => !isSameRange(each, permission));
  const permissions = [...kept, permission].sort(
    (a, b) => compareText(a.key, b.key) || compareText(a.rangeEnd, b.rangeEnd),
  );
  return withRole(state, name, { permissions });
}

export function withoutPermission(
  state: AuthState,
  name: string,
  range: Pick<Permission, 'key' | 'rangeEnd'>,
): AuthState {
  const { permissions } = roleOf(state, name);
  const kept = permissions.filter((each) => !isSameRange(each, range));
  if (kept.length === permissions.length) throw etcdError('permissionNotGranted');
  return withRole(state, name, { permissions: kept });
}

const isSameRange = (
  a: Pick<Permission, 'key' | 'rangeEnd'>,
  b: Pick<Permission, 'key' | 'rangeEnd'>,
): boolean => a.key === b.key && a.rangeEnd === b.rangeEnd;

const changed = (state: AuthState): AuthState => ({ ...state, revision: state.revision + 1 });

const withUser = (state: AuthState, name: string, user: User): AuthState =>
  changed({ ...state, users: recordOf([...Object.entries(state.users), [name, user]]) });

const withRole = (state: AuthState, name: string, role: Role): AuthState =>
  changed({ ...state, roles: recordOf([...Object.entries(state.roles), [name, role]]) });

const without = <T>(record: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> =>
  recordOf(Object.entries(record).filter(([each]) => each !== name));

/** Sorted, and without a prototype, since `constructor` is a valid name. */
function recordOf<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> {
  const record = Object.create(null) as Record<string, T>;
  for (const [name, value] of entries.toSorted(([a], [b]) => compareText(a, b))) record[name] = value;
  return record;
}
