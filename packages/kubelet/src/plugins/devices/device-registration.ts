/** The socket on which device plugins register. */
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { unary } from '@coxswain/grpc/server/method.ts';
import { serveUnixGrpc, type GrpcServer } from '@coxswain/grpc/server/serve-unix.ts';
import { isExtendedResourceName } from '../../resources/extended-resource.ts';
import type { PluginHandler, RegisteredPlugin } from '../registration/plugin-watcher.ts';
import { devicePluginVersion, registerPath, RegisterRequest } from './device-messages.ts';

/** Connects to a plugin. @throws GrpcError if it doesn't answer */
export type TakePlugin = (resource: string, socketPath: string) => Promise<void>;

/** Removes sockets from an earlier run: plugins notice that, and register again. */
export async function serveDeviceRegistration(directory: string, take: TakePlugin): Promise<GrpcServer> {
  for (const name of await readdir(directory)) {
    const place = path.join(directory, name);
    const info = await stat(place).catch(() => undefined);
    if (info?.isSocket()) await rm(place, { force: true });
  }
  const register = unary(RegisterRequest, {}, async (request) => {
    if (request.version !== devicePluginVersion)
      throw new Error(
        `requested API version "${request.version}" is not supported by kubelet. Supported version is ["${devicePluginVersion}"]`,
      );
    refuseName(request.resourceName);
    await take(request.resourceName, path.join(directory, path.basename(request.endpoint)));
    return {};
  });
  return serveUnixGrpc(path.join(directory, 'kubelet.sock'), { [registerPath]: register });
}

/** Handles device plugins that are discovered by their socket, like CSI drivers. */
export const devicePluginHandler = (take: TakePlugin, leave: (resource: string) => void): PluginHandler => ({
  validate({ name, versions }: RegisteredPlugin) {
    if (!versions.includes(devicePluginVersion))
      throw new Error(
        `manager version, ${devicePluginVersion}, is not among plugin supported versions [${versions.join(' ')}]`,
      );
    try {
      refuseName(name);
    } catch (error) {
      throw new Error(`invalid name of device plugin socket: ${messageOf(error)}`, { cause: error });
    }
  },
  register: ({ name, endpoint }) => take(name, endpoint),
  deregister: async ({ name }) => leave(name),
});

function refuseName(resource: string): void {
  if (!isExtendedResourceName(resource)) throw new Error(`the ResourceName "${resource}" is invalid`);
}
