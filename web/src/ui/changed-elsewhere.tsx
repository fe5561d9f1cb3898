import { GitMerge } from 'lucide-react'
import { useState } from 'react'
import { tell } from '../api/problem.ts'
import { Button } from './button.tsx'
import { useFormState } from './form.tsx'
import { Notice } from './notice.tsx'

interface ChangedElsewhereProps {
  /** What is there now, in words. */
  theirs: string
  onTakeTheirs: () => void
  onKeepMine: () => Promise<void>
}

/** Someone, or another tab, was faster: nothing is overwritten without being asked. */
export const ChangedElsewhere = ({ theirs, onTakeTheirs, onKeepMine }: ChangedElsewhereProps) => {
  const [failure, setFailure] = useState<string | null>(null)
  const { forget } = useFormState()
  const take = () => {
    forget()
    onTakeTheirs()
  }
  const keep = () => {
    setFailure(null)
    onKeepMine()
      .then(forget)
      .catch((error: unknown) => setFailure(tell(error)))
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
          <Button size="small" onClick={keep}>
            Save mine
          </Button>
        </div>
      </Notice>
    </div>
  )
}
