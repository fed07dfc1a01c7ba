/** The CRI calls that the kubelet makes: path, request and response. */
import { serviceMethods } from '@coxswain/grpc/method.ts';
import * as container from './container-messages.ts';
import * as image from './image-messages.ts';
import * as sandbox from './sandbox-messages.ts';
import { Empty } from './shared-messages.ts';

const runtime = serviceMethods('runtime.v1.RuntimeService');
const images = serviceMethods('runtime.v1.ImageService');

export const criMethods = {
  version: runtime('Version', image.VersionRequest, image.VersionResponse),
  status: runtime('Status', image.StatusRequest, image.StatusResponse),
  runtimeConfig: runtime('RuntimeConfig', Empty, image.RuntimeConfigResponse),
  updateRuntimeConfig: runtime('UpdateRuntimeConfig', image.UpdateRuntimeConfigRequest, Empty),
  runPodSandbox: runtime('RunPodSandbox', sandbox.RunPodSandboxRequest, sandbox.PodSandboxId),
  stopPodSandbox: runtime('StopPodSandbox', sandbox.PodSandboxId, Empty),
  removePodSandbox: runtime('RemovePodSandbox', sandbox.PodSandboxId, Empty),
  podSandboxStatus: runtime(
    'PodSandboxStatus',
    sandbox.PodSandboxStatusRequest,
    sandbox.PodSandboxStatusResponse,
  ),
  listPodSandbox: runtime('ListPodSandbox', sandbox.ListPodSandboxRequest, sandbox.ListPodSandboxResponse),
  updatePodSandboxResources: runtime(
    'UpdatePodSandboxResources',
    sandbox.UpdatePodSandboxResourcesRequest,
    Empty,
  ),
  createContainer: runtime('CreateContainer', container.CreateContainerRequest, container.ContainerId),
  startContainer: runtime('StartContainer', container.ContainerId, Empty),
  stopContainer: runtime('StopContainer', container.StopContainerRequest, Empty),
  removeContainer: runtime('RemoveContainer', container.ContainerId, Empty),
  listContainers: runtime(
    'ListContainers',
    container.ListContainersRequest,
    container.ListContainersResponse,
  ),
  containerStatus: runtime(
    'ContainerStatus',
    container.ContainerStatusRequest,
    container.ContainerStatusResponse,
  ),
  updateContainerResources: runtime(
    'UpdateContainerResources',
    container.UpdateContainerResourcesRequest,
    Empty,
  ),
  reopenContainerLog: runtime('ReopenContainerLog', container.ContainerId, Empty),
  execSync: runtime('ExecSync', container.ExecSyncRequest, container.ExecSyncResponse),
  exec: runtime('Exec', container.ExecRequest, container.StreamingUrl),
  attach: runtime('Attach', container.AttachRequest, container.StreamingUrl),
  portForward: runtime('PortForward', sandbox.PortForwardRequest, container.StreamingUrl),
  listContainerStats: runtime('ListContainerStats', Empty, image.ListContainerStatsResponse),
  listPodSandboxStats: runtime('ListPodSandboxStats', Empty, image.ListPodSandboxStatsResponse),
  listImages: images('ListImages', image.ListImagesRequest, image.ListImagesResponse),
  imageStatus: images('ImageStatus', image.ImageStatusRequest, image.ImageStatusResponse),
  pullImage: images('PullImage', image.PullImageRequest, image.PullImageResponse),
  removeImage: images('RemoveImage', image.RemoveImageRequest, Empty),
  imageFsInfo: images('ImageFsInfo', Empty, image.ImageFsInfoResponse),
} as const;

/** The response is a stream of messages. */
export const containerEvents = runtime('GetContainerEvents', Empty, container.ContainerEvent);
