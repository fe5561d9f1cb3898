import { createHash } from 'node:crypto'
import type { ImageConfig } from './dockerfile.ts'
import { compress, type Entry, fileEntry, writeTar } from './tar.ts'

export type Architecture = 'amd64' | 'arm64'

interface ImageOptions {
  architecture: Architecture
  config: ImageConfig
  /** Layers from the bottom to the top. */
  layers: readonly { comment: string; entries: readonly Entry[] }[]
  /** The name under which `podman load` and `docker load` list the image. */
  name: string
  seconds: number
}

const digest = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
const toJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

/**
 * Writes an image as an archive of an OCI image layout. The archive of a tool such as buildah contains the times of its
 * own run, so two builds would differ. `manifest.json` lets older versions of Docker load the archive too.
 */
export const writeImage = ({ architecture, config, layers, name, seconds }: ImageOptions): Buffer => {
  const created = new Date(seconds * 1000).toISOString()
  const blobs = new Map<string, Buffer>()
  const addBlob = (mediaType: string, content: Buffer) => {
    const hash = digest(content)
    blobs.set(`blobs/sha256/${hash}`, content)
    return { mediaType, digest: `sha256:${hash}`, size: content.length }
  }
  const written = layers.map(({ comment, entries }) => {
    const tar = writeTar(entries, seconds)
    const descriptor = addBlob('application/vnd.oci.image.layer.v1.tar+gzip', compress(tar))
    return { comment, descriptor, contentDigest: `sha256:${digest(tar)}` }
  })
  const image = {
    created,
    architecture,
    os: 'linux',
    config,
    rootfs: { type: 'layers', diff_ids: written.map(({ contentDigest }) => contentDigest) },
    history: written.map(({ comment }) => ({ created, comment })),
  }
  const configDescriptor = addBlob('application/vnd.oci.image.config.v1+json', toJson(image))
  const manifest = addBlob(
    'application/vnd.oci.image.manifest.v1+json',
    toJson({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: configDescriptor,
      layers: written.map(({ descriptor }) => descriptor),
    }),
  )
  const index = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [
      {
        ...manifest,
        platform: { architecture, os: 'linux' },
        annotations: { 'org.opencontainers.image.ref.name': name, 'io.containerd.image.name': name },
      },
    ],
  }
  const toPath = (descriptor: { digest: string }) => `blobs/${descriptor.digest.replace(':', '/')}`
  const legacy = [
    {
      Config: toPath(configDescriptor),
      RepoTags: [name],
      Layers: written.map(({ descriptor }) => toPath(descriptor)),
    },
  ]
  const files = [
    fileEntry('oci-layout', toJson({ imageLayoutVersion: '1.0.0' })),
    fileEntry('index.json', toJson(index)),
    fileEntry('manifest.json', toJson(legacy)),
    ...[...blobs].map(([path, content]) => fileEntry(path, content)),
  ]
  return writeTar(files, seconds)
}
