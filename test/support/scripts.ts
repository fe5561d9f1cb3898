interface Guarded {
  untilReady(isReady: () => boolean): Promise<void>
  stop(): Promise<void>
}

type StartGuarded = (options: {
  command: string
  args: readonly string[]
  directory: string
  user?: { uid?: number; gid?: number }
  stopSignal: string
}) => Guarded

// The scripts have no types of their own.
const folder = new URL('../../scripts/', import.meta.url)

export const { startGuarded } = (await import(new URL('guarded-process.mjs', folder).href)) as {
  startGuarded: StartGuarded
}

export const { answersOn, freePorts, makeCertificate } = (await import(
  new URL('parts/loopback.mjs', folder).href
)) as {
  answersOn(port: number): () => boolean
  freePorts(count: number): Promise<number[]>
  makeCertificate(directory: string, name: string): { certificate: string; key: string }
}

export const { unprivilegedUser } = (await import(new URL('parts/postgres.mjs', folder).href)) as {
  unprivilegedUser(): { uid?: number; gid?: number }
}
