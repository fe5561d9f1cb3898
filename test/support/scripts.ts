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

interface Part {
  name: string
  debianPackages: readonly string[]
  isInstalled(): boolean
  provide(): Promise<{ env: Record<string, string>; stop(): Promise<void> } | { missing: string }>
}

export const { provideParts } = (await import(new URL('provide-parts.mjs', folder).href)) as {
  provideParts(
    parts: readonly Part[],
    installer: { canInstall(): boolean; install(parts: readonly Part[]): void },
  ): Promise<{ env: Record<string, string>; stop(): Promise<void> }>
}

/** A file of a report of vitest. */
interface ReportedFile {
  name: string
  status: string
  message: string
  assertionResults: readonly { status: string; fullName: string; failureMessages: readonly string[] }[]
}

export const { describeReruns, selectReruns } = (await import(new URL('reruns.mjs', folder).href)) as {
  selectReruns(files: readonly ReportedFile[]): ReportedFile[]
  describeReruns(failed: readonly ReportedFile[], again: readonly ReportedFile[], root: string): string[]
}
