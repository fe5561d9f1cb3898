/** The configuration of an image (OCI image specification), with the health check of Docker. */
export interface ImageConfig {
  User?: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  WorkingDir: string
  StopSignal: string
  Volumes: Record<string, object>
  ExposedPorts: Record<string, object>
  Labels?: Record<string, string>
  /** Docker and podman read it; the times are nanoseconds. */
  Healthcheck?: { Test: string[]; Interval: number; Timeout: number; StartPeriod: number; Retries: number }
}

const readSeconds = (options: string, name: string): number =>
  Number(new RegExp(`--${name}=(\\d+)s`).exec(options)?.[1]) * 1e9

/**
 * Reads the configuration from the last stage of our Dockerfile. Only the forms that the file uses are known, and any
 * other instruction is an error.
 */
export const readImageConfig = (dockerfile: string): ImageConfig => {
  const lines = dockerfile.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const start = lines.findLastIndex((line) => line.startsWith('FROM '))
  const config: ImageConfig = {
    Env: [],
    Entrypoint: [],
    Cmd: [],
    WorkingDir: '/',
    StopSignal: 'SIGTERM',
    Volumes: {},
    ExposedPorts: {},
  }
  const readers: Record<string, (value: string) => void> = {
    COPY: () => {},
    ENV: (value) => config.Env.push(value),
    USER: (value) => {
      config.User = value
    },
    WORKDIR: (value) => {
      config.WorkingDir = value
    },
    VOLUME: (value) => {
      for (const path of JSON.parse(value) as string[]) config.Volumes[path] = {}
    },
    EXPOSE: (value) => {
      config.ExposedPorts[`${value}/tcp`] = {}
    },
    STOPSIGNAL: (value) => {
      config.StopSignal = value
    },
    ENTRYPOINT: (value) => {
      config.Entrypoint = JSON.parse(value) as string[]
    },
    CMD: (value) => {
      config.Cmd = JSON.parse(value) as string[]
    },
    HEALTHCHECK: (value) => {
      const [options = '', command = ''] = value.split(' CMD ')
      config.Healthcheck = {
        Test: ['CMD', ...(JSON.parse(command) as string[])],
        Interval: readSeconds(options, 'interval'),
        Timeout: readSeconds(options, 'timeout'),
        StartPeriod: readSeconds(options, 'start-period'),
        Retries: Number(/--retries=(\d+)/.exec(options)?.[1]),
      }
    },
  }
  for (const line of lines.slice(start + 1)) {
    const [, instruction = '', value = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
    const read = readers[instruction]
    if (!read) throw new Error(`The release cannot read this line of the Dockerfile: ${line}`)
    read(value)
  }
  return config
}
