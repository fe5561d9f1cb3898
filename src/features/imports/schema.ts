import Type, { type Static } from 'typebox'
import { Instant, NextCursor, Nullable, pageParameters } from '../../platform/http/shapes.ts'
import { FORMATS, MAIL_FOLDERS, SEVERITIES } from './import-record.ts'

const strict = { additionalProperties: false }

export const STATES = [
  'uploading',
  'analysing',
  'ready',
  'running',
  'done',
  'failed',
  'cancelled',
  'undoing',
  'undone',
] as const
export type ImportState = (typeof STATES)[number]

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [7] })
const FormatName = Type.Enum([...FORMATS], { type: 'string', examples: ['mbox'] })
const Count = (description: string) => Type.Integer({ minimum: 0, examples: [12], description })

export const ImportPath = Type.Object({ id: Id }, strict)

export const UploadQuery = Type.Object(
  {
    filename: Type.String({
      minLength: 1,
      maxLength: 255,
      examples: ['Inbox.mbox'],
      description: 'The name of the file. It becomes a tag or the name of a task list in some formats',
    }),
    format: Type.Optional(
      Type.Enum([...FORMATS], {
        type: 'string',
        examples: ['mbox'],
        description: 'Default: recognised from the content',
      }),
    ),
    timezone: Type.Optional(
      Type.String({
        maxLength: 100,
        examples: ['Europe/Vienna'],
        description: 'The zone of times without one. Default: your time zone',
      }),
    ),
  },
  strict,
)
export type UploadQuery = Static<typeof UploadQuery>

export const ImportOptions = Type.Object(
  {
    mailAccountId: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 100,
          examples: ['q3vYw1y0T2uJf0b2nq8XVA'],
          description: 'The mail account that imported mail belongs to. Null: mail without an account',
        }),
      ),
    ),
    mailFolder: Type.Optional(
      Nullable(
        Type.Enum([...MAIL_FOLDERS], {
          type: 'string',
          examples: ['archive'],
          description: 'The folder of all imported mail. Null: as in the file, otherwise the archive',
        }),
      ),
    ),
    calendarId: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          examples: [3],
          description: 'The calendar of new events. Null: the default calendar',
        }),
      ),
    ),
    taskListId: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          examples: [3],
          description: 'The list of all imported tasks. Null: lists with the names in the file',
        }),
      ),
    ),
    timezone: Type.Optional(
      Type.String({
        maxLength: 100,
        examples: ['Europe/Vienna'],
        description: 'The zone of times without one. Default: the one of the upload',
      }),
    ),
  },
  { ...strict, title: 'ImportOptions' },
)
export type ImportOptions = Static<typeof ImportOptions>

const KindCounts = Type.Object(
  {
    created: Count('New items'),
    updated: Count('Existing items that got newer data'),
    duplicates: Count('Items that were there already'),
    skipped: Count('Records that could not be imported'),
  },
  { title: 'ImportKindCounts' },
)

const Counts = Type.Object(
  {
    emails: KindCounts,
    contacts: KindCounts,
    events: KindCounts,
    tasks: KindCounts,
    undo: Nullable(
      Type.Object(
        {
          removed: Count('Items that the undo removed or restored'),
          kept: Count('Items that were changed after the import, and therefore stay'),
        },
        { title: 'ImportUndoCounts' },
      ),
    ),
  },
  { title: 'ImportCounts' },
)
export type ImportCounts = Static<typeof Counts>
export type KindCounts = Static<typeof KindCounts>

const KindAnalysis = Type.Object(
  {
    count: Count('Records in the file'),
    duplicates: Count('Records that are there already'),
    earliest: Nullable(Instant),
    latest: Nullable(Instant),
    samples: Type.Array(Type.String({ examples: ['Lunch on Thursday?'] }), {
      description: 'The first records: subject, name or title',
    }),
  },
  { title: 'ImportKindAnalysis' },
)

const Analysis = Type.Object(
  {
    records: Count('All records in the file'),
    emails: KindAnalysis,
    contacts: KindAnalysis,
    events: KindAnalysis,
    tasks: KindAnalysis,
  },
  { title: 'ImportAnalysis' },
)
export type ImportAnalysis = Static<typeof Analysis>
export type KindAnalysis = Static<typeof KindAnalysis>

export const FileImport = Type.Object(
  {
    id: Id,
    filename: Type.String({ examples: ['Inbox.mbox'] }),
    format: Nullable(FormatName),
    size: Count('Bytes of the uploaded file'),
    state: Type.Enum([...STATES], {
      type: 'string',
      examples: ['ready'],
      description:
        '`uploading`, `analysing` (dry run), `ready` (start it), `running`, `done`, `failed`, `cancelled`, `undoing`, `undone`',
    }),
    options: ImportOptions,
    analysis: Nullable(Analysis),
    counts: Counts,
    progress: Type.Object({
      done: Count('Records that were read'),
      total: Nullable(Count('All records; null while unknown')),
    }),
    problemCount: Count('Parts of the file that did not fit. See `GET /api/imports/{id}/problems`'),
    error: Nullable(Type.String({ examples: ['The format of the file is unknown.'] })),
    createdAt: Instant,
    updatedAt: Instant,
    finishedAt: Nullable(Instant),
  },
  { title: 'FileImport' },
)
export type FileImport = Static<typeof FileImport>

export const ImportCollection = Type.Object({ imports: Type.Array(FileImport), nextCursor: NextCursor })

export const ImportProblem = Type.Object(
  {
    id: Id,
    severity: Type.Enum([...SEVERITIES], {
      type: 'string',
      examples: ['changed'],
      description:
        '`skipped`: not imported. `changed`: imported with the value in another place. `unknown`: a column, property or file without a match',
    }),
    file: Type.String({ examples: ['Takeout/Calendar/Work.ics'], description: 'Empty for a single file' }),
    line: Nullable(Type.Integer({ examples: [14] })),
    field: Type.String({ examples: ['DATE'] }),
    value: Type.String({ examples: ['every other full moon'], description: 'The original text, shortened' }),
    reason: Type.String({ examples: ['The date was not understood. It was added to the notes.'] }),
  },
  { title: 'ImportProblem' },
)

export const ProblemsQuery = Type.Object(pageParameters, strict)
export const ProblemCollection = Type.Object({
  problems: Type.Array(ImportProblem),
  nextCursor: NextCursor,
})
