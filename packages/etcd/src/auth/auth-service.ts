import type { Engine } from '@coxswain/storage';
import { etcdError } from '@coxswain/storage/etcd/etcd-errors.ts';
import { byteStringOf, bytesOf } from '@coxswain/storage/key-bytes.ts';
import * as messages from '@coxswain/storage/etcd/messages.ts';
import type { Decoded, Input, MessageTable } from '@coxswain/protobuf';
import { unary, type Caller, type Method, type Methods } from '@coxswain/grpc/server/method.ts';
import { headerOf, type Member } from '../member.ts';
import type { AuthStore } from './auth-store.ts';
import * as auth from './auth-state.ts';
import type { AuthState, Permission, PermissionType } from './auth-state.ts';
import { hashedPassword } from './password.ts';
import { isRoot } from './permits.ts';

/** By number. */
const permissionTypes: readonly PermissionType[] = ['read', 'write', 'readwrite'];
/** What the role with this name may do regardless of its permissions. */
const everything: Permission = { type: 'readwrite', key: '', rangeEnd: '\0' };

export function authService(engine: Engine, member: Member, store: AuthStore): Methods {
  const header = () => headerOf(member, engine);
  const mustBeRoot = (caller: Caller): void => {
    if (store.state.isEnabled && !isRoot(store.callerOf(caller).user)) throw etcdError('permissionDenied');
  };
  const mustBe = (caller: Caller, isIt: (name: string, roles: readonly string[]) => boolean): void => {
    if (!store.state.isEnabled) return;
    const { name, user } = store.callerOf(caller);
    if (!isRoot(user) && !isIt(name, user.roles)) throw etcdError('permissionDenied');
  };
  const changing = <I extends MessageTable>(
    request: I,
    next: (state: AuthState, request: Decoded<I>) => AuthState,
  ): Method =>
    unary(request, messages.HeaderOnlyResponse, (message, caller) => {
      mustBeRoot(caller);
      store.change((state) => next(state, message));
      return { header: header() };
    });

  return byService({
    AuthStatus: unary(messages.AuthStatusRequest, messages.AuthStatusResponse, () => ({
      header: header(),
      enabled: store.state.isEnabled,
      authRevision: store.state.revision,
    })),
    AuthEnable: changing({}, auth.enabled),
    AuthDisable: changing({}, auth.disabled),
    Authenticate: unary(messages.AuthenticateRequest, messages.AuthenticateResponse, async (request) => {
      const token = await store.authenticate(request.name, request.password);
      return { header: header(), token };
    }),

    UserAdd: unary(messages.AuthUserAddRequest, messages.HeaderOnlyResponse, async (request, caller) => {
      mustBeRoot(caller);
      const { name, password, options } = request;
      const hashed = options?.noPassword === true ? {} : await hashedPassword(password);
      store.change((state) => auth.withNewUser(state, name, hashed));
      return { header: header() };
    }),
    UserChangePassword: unary(
      messages.AuthUserChangePasswordRequest,
      messages.HeaderOnlyResponse,
      async ({ name, password }, caller) => {
        mustBeRoot(caller);
        const hashed = password === '' ? {} : await hashedPassword(password);
        store.change((state) => auth.withPassword(state, name, hashed));
        return { header: header() };
      },
    ),
    UserGet: unary(messages.NameRequest, messages.AuthNamesResponse, ({ name }, caller) => {
      mustBe(caller, (own) => own === name);
      return { header: header(), names: auth.userOf(store.state, name).roles };
    }),
    UserList: unary({}, messages.AuthNamesResponse, (_, caller) => {
      mustBeRoot(caller);
      return { header: header(), names: Object.keys(store.state.users) };
    }),
    UserDelete: changing(messages.NameRequest, (state, { name }) => auth.withoutUser(state, name)),
    UserGrantRole: changing(messages.AuthUserRoleRequest, (state, { user, role }) =>
      auth.withGrantedRole(state, user, role),
    ),
    UserRevokeRole: changing(messages.AuthUserRoleRequest, (state, { user, role }) =>
      auth.withRevokedRole(state, user, role),
    ),

    RoleAdd: changing(messages.NameRequest, (state, { name }) => auth.withNewRole(state, name)),
    RoleGet: unary(messages.NameRequest, messages.AuthRoleGetResponse, ({ name }, caller) => {
      mustBe(caller, (_, roles) => roles.includes(name));
      const { permissions } = auth.roleOf(store.state, name);
      const shown = name === auth.root ? [everything] : permissions;
      return { header: header(), permissions: shown.map(permissionMessage) };
    }),
    RoleList: unary({}, messages.AuthNamesResponse, (_, caller) => {
      mustBeRoot(caller);
      return { header: header(), names: Object.keys(store.state.roles) };
    }),
    RoleDelete: changing(messages.NameRequest, (state, { name }) => auth.withoutRole(state, name)),
    RoleGrantPermission: changing(messages.AuthRoleGrantPermissionRequest, (state, { name, permission }) => {
      if (permission === undefined) throw etcdError('permissionNotGiven');
      return auth.withPermission(state, name, permissionOf(permission));
    }),
    RoleRevokePermission: changing(
      messages.AuthRoleRevokePermissionRequest,
      (state, { role, key, rangeEnd }) =>
        auth.withoutPermission(state, role, { key: byteStringOf(key), rangeEnd: byteStringOf(rangeEnd) }),
    ),
  });
}

const byService = (methods: Methods): Methods =>
  Object.fromEntries(Object.entries(methods).map(([name, method]) => [`/etcdserverpb.Auth/${name}`, method]));

const permissionOf = (message: Decoded<typeof messages.AuthPermission>): Permission => ({
  type: permissionTypes[message.type] ?? 'read',
  key: byteStringOf(message.key),
  rangeEnd: byteStringOf(message.rangeEnd),
});

const permissionMessage = ({ type, key, rangeEnd }: Permission): Input<typeof messages.AuthPermission> => ({
  type: permissionTypes.indexOf(type),
  key: bytesOf(key),
  rangeEnd: bytesOf(rangeEnd),
});
