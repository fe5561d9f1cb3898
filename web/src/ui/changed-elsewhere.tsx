import { GitMerge } from 'lucide-react'
import { useState } from 'react'
import { describeError } from '../api/problem.ts'
import { Button } from './button.tsx'
import { useFormState } from './form.tsx'
import { Notice } from './notice.tsx'

interface ChangedElsewhereProps {
  /** Describes the saved value. */
  theirs: string
  onTakeTheirs: () => void
  onKeepMine: () => Promise<void>
}

/**
 * Conflict notice for a form whose resource was changed elsewhere. Nothing is overwritten without a decision.
 */
export const ChangedElsewhere = ({ theirs, onTakeTheirs, onKeepMine }: ChangedElsewhereProps) => {
  const [failure, setFailure] = useState<string | null>(null)
  const { discard } = useFormState()
  const take = () => {
    discard()
    onTakeTheirs()
  }
  const save = () => {
    setFailure(null)
    onKeepMine()
      .then(discard)
      .catch((error: unknown) => setFailure(describeError(error)))
  }
  return (
    <div role="alert">
      <Notice tone="warn" icon={GitMerge}>
        <p>
          <strong>This was changed elsewhere while you were editing.</strong> {theirs} Nothing of yours is
          saved yet.
        </p>
        {failure !== null && <p>{failure}</p>}
        <div className="form-actions">
          <Button size="small" onClick={take}>
            Show what is there now
          </Button>
          <Button size="small" onClick={save}>
            Save mine
          </Button>
        </div>
      </Notice>
    </div>
  )
}
