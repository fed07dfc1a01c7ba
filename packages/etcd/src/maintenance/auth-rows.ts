/** Users and roles as rows of etcd's database. */
import { bytesOf } from '@coxswain/storage/key-bytes.ts';
import { encode, field, repeated } from '@coxswain/protobuf';
import type { AuthState, Permission, User } from '../auth/auth-state.ts';
import type { BucketContent, Row } from './bbolt-file.ts';

const RoleRow = {
  name: field(1, 'bytes'),
  permissions: repeated(2, {
    type: field(1, 'enum'),
    key: field(2, 'bytes'),
    rangeEnd: field(3, 'bytes'),
  }),
};
const UserRow = {
  name: field(1, 'bytes'),
  password: field(2, 'bytes'),
  roles: repeated(3, 'string'),
  options: field(4, { noPassword: field(1, 'bool') }),
};

const typeNumbers = { read: 0, write: 1, readwrite: 2 } as const;

/** Users without a portable password hash are exported without one; their password must be set again. */
export function authBuckets({ isEnabled, revision, roles, users }: AuthState): readonly BucketContent[] {
  const revisionBytes = Buffer.alloc(8);
  revisionBytes.writeBigUInt64BE(BigInt(revision));
  return [
    {
      name: 'auth',
      rows: [
        { key: Buffer.from('authEnabled'), value: Buffer.of(isEnabled ? 1 : 0) },
        { key: Buffer.from('authRevision'), value: revisionBytes },
      ],
    },
    { name: 'authRoles', rows: rowsOf(roles, (name, { permissions }) => roleRow(name, permissions)) },
    { name: 'authUsers', rows: rowsOf(users, userRow) },
  ];
}

const rowsOf = <T>(
  record: Readonly<Record<string, T>>,
  valueOf: (name: Buffer, value: T) => Uint8Array,
): readonly Row[] =>
  Object.entries(record)
    .map(([name, value]) => {
      const key = Buffer.from(name);
      return { key, value: Buffer.from(valueOf(key, value)) };
    })
    .sort((a, b) => Buffer.compare(a.key, b.key));

const roleRow = (name: Buffer, permissions: readonly Permission[]): Uint8Array =>
  encode(RoleRow, {
    name,
    permissions: permissions.map(({ type, key, rangeEnd }) => ({
      type: typeNumbers[type],
      key: bytesOf(key),
      rangeEnd: bytesOf(rangeEnd),
    })),
  });

const userRow = (name: Buffer, { passwordHash, portableHash, roles }: User): Uint8Array =>
  encode(UserRow, {
    name,
    password: Buffer.from(portableHash ?? ''),
    roles: [...roles],
    options: { noPassword: passwordHash === undefined },
  });
