import Type, { type Static } from 'typebox'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'
import { WEEKDAYS } from '../../platform/time.ts'

const strict = { additionalProperties: false } as const

const Frequency = Type.Enum(['daily', 'weekly'], { type: 'string', examples: ['daily'] })
const Weekday = Type.Enum([...WEEKDAYS], {
  type: 'string',
  examples: ['sunday'],
  description: 'Only for the frequency `weekly`',
})
const Time = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  examples: ['03:00'],
  description: 'Local time in the time zone of the owner',
})
const KeepCount = Type.Integer({
  minimum: 1,
  maximum: 1000,
  examples: [7],
  description: 'Older proven backups are deleted. The newest proven backup is never deleted automatically.',
})
const KeepDays = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: 3650,
    examples: [30],
    description: 'Backups older than this are deleted',
  }),
)
const Destination = Type.Enum(['folder', 's3'], { type: 'string', examples: ['folder'] })
const Folder = Nullable(
  Type.String({
    minLength: 1,
    maxLength: 1000,
    examples: ['/mnt/nas/factotum'],
    description: 'A directory of the server, in one that `BACKUP_FOLDERS` names. Null: `backups` in DATA_DIR',
  }),
)

const bucketFields = {
  endpoint: Type.String({
    minLength: 1,
    maxLength: 500,
    examples: ['https://s3.eu-central-1.amazonaws.com'],
    description:
      'The address of the S3-compatible server. With private access, `OUTBOUND_ALLOW` must name a server in the private network.',
  }),
  region: Type.String({ pattern: '^[A-Za-z0-9-]{1,50}$', examples: ['eu-central-1'] }),
  bucket: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$', examples: ['factotum-backups'] }),
  prefix: Type.String({
    maxLength: 200,
    pattern: '^[A-Za-z0-9._/-]*$',
    examples: ['home/'],
    description: 'Precedes the name of each file',
  }),
  accessKeyId: Type.String({ minLength: 1, maxLength: 200, examples: ['AKIAIOSFODNN7EXAMPLE'] }),
}

const Bucket = Type.Object(bucketFields, { title: 'BackupBucket' })
const BucketInput = Type.Object(
  {
    ...bucketFields,
    secretAccessKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        examples: ['wJalrXUtnFEMI/K7MDENG'],
        description: 'Never returned. Required for a new endpoint or access key.',
      }),
    ),
  },
  { ...strict, title: 'BackupBucketInput' },
)

export const BackupSchedule = Type.Object(
  {
    enabled: Type.Boolean({ examples: [true] }),
    frequency: Frequency,
    weekday: Weekday,
    time: Time,
    timezone: Type.String({ examples: ['Europe/Berlin'], description: 'The time zone of the owner' }),
    keepCount: KeepCount,
    keepDays: KeepDays,
    hasPassphrase: Type.Boolean({ examples: [false], description: 'Backups are encrypted' }),
    destination: Destination,
    folder: Folder,
    defaultFolder: Type.String({ examples: ['/var/lib/factotum/backups'] }),
    allowedFolders: Type.Array(Type.String({ examples: ['/mnt/nas'] }), {
      description: 'The directories of `BACKUP_FOLDERS`',
    }),
    s3: Nullable(Bucket),
    nextRunAt: Nullable(Instant),
    lastProvenAt: Nullable(Instant),
  },
  { title: 'BackupSchedule' },
)
export type BackupSchedule = Static<typeof BackupSchedule>

export const BackupScheduleInput = Type.Object(
  {
    enabled: Type.Boolean({ examples: [true] }),
    frequency: Frequency,
    weekday: Weekday,
    time: Time,
    keepCount: KeepCount,
    keepDays: KeepDays,
    passphrase: Type.Optional(
      Nullable(
        Type.String({
          minLength: 8,
          maxLength: 500,
          examples: ['correct horse battery staple'],
          description: 'Encrypts backups. Never returned; without this field it stays, null removes it.',
        }),
      ),
    ),
    destination: Destination,
    folder: Folder,
    s3: Nullable(BucketInput),
    password: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        examples: ['correct horse battery'],
        description: 'Your password. Required to change the destination or the passphrase',
      }),
    ),
  },
  { ...strict, title: 'BackupScheduleInput' },
)
export type BackupScheduleInput = Static<typeof BackupScheduleInput>

export const Backup = Type.Object(
  {
    id: Type.Integer({ examples: [12] }),
    cause: Type.Enum(['manual', 'schedule'], { type: 'string', examples: ['schedule'] }),
    state: Type.Enum(['running', 'written', 'proven', 'failed'], {
      type: 'string',
      examples: ['proven'],
      description:
        '`written`: complete, but not verified yet. `proven`: it was restored into a scratch place and compared',
    }),
    step: Nullable(
      Type.Enum(['waiting', 'writing', 'uploading', 'downloading', 'verifying'], {
        type: 'string',
        examples: ['verifying'],
        description: 'The current step of a running backup',
      }),
    ),
    destination: Destination,
    location: Type.String({ examples: ['/var/lib/factotum/backups'] }),
    filename: Type.String({ examples: ['factotum-20260301T030000Z-12.zip'] }),
    encrypted: Type.Boolean({ examples: [false] }),
    size: Nullable(Type.Integer({ examples: [10_485_760] })),
    problem: Nullable(Type.String({ examples: ['There is no bucket factotum on nas.lan.'] })),
    createdAt: Instant,
    startedAt: Nullable(Instant),
    finishedAt: Nullable(Instant),
    provenAt: Nullable(Instant),
  },
  { title: 'Backup' },
)
export type Backup = Static<typeof Backup>

export const BackupList = Type.Object(
  { backups: Type.Array(Backup), nextCursor: NextCursor },
  { title: 'BackupList' },
)

export const BackupPath = Type.Object(
  { id: Type.Integer({ minimum: 1, maximum: 2 ** 48, examples: [12] }) },
  strict,
)
