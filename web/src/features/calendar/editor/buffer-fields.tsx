import * as t from '#locale/event-editor'
import { Options, SelectField } from '../../../ui/field.tsx'
import { describeMinutes } from '../reminder-text.ts'
import type { Draft } from './draft.ts'

const MINUTES = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240]

interface BufferProps {
  draft: Draft
  onChange: (change: Partial<Draft>) => void
}

/** Travel and buffer time around an event. */
export const BufferFields = ({ draft, onChange }: BufferProps) => (
  <div className="editor-pair">
    {(['bufferBefore', 'bufferAfter'] as const).map((name) => (
      <SelectField
        key={name}
        name={name}
        label={t.buffers[name]}
        value={draft[name]}
        onChange={(event) => onChange({ [name]: Number(event.target.value) })}
      >
        <Options
          entries={[
            ['0', t.noBuffer],
            ...[...new Set([...MINUTES, draft[name]])]
              .filter((minutes) => minutes > 0)
              .sort((one, other) => one - other)
              .map((minutes) => [String(minutes), describeMinutes(minutes)] as const),
          ]}
        />
      </SelectField>
    ))}
  </div>
)
