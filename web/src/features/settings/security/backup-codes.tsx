import { Download, Printer } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { CopyButton, OneTimeSecretDialog } from '../../../ui/secret.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import './two-factor.css'

const asFile = (codes: readonly string[]): Blob =>
  new Blob([`Factotum backup codes\nEach is good for one sign-in.\n\n${codes.join('\n')}\n`], {
    type: 'text/plain',
  })

export const BackupCodesDialog = ({
  codes,
  onClose,
}: {
  codes: readonly string[] | null
  onClose: () => void
}) => {
  const [isSaved, setIsSaved] = useState(false)
  const displayedCodes = useLastValue(codes) ?? []
  const keep = () => setIsSaved(true)
  const close = () => {
    setIsSaved(false)
    onClose()
  }
  return (
    <OneTimeSecretDialog
      open={codes !== null}
      onClose={close}
      isSaved={isSaved}
      title="Keep your backup codes"
      about="Each lets you in once when your phone cannot. Keep them where you would find them without it."
    >
      <ul className="backup-codes">
        {displayedCodes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="form-actions backup-actions">
        <CopyButton text={displayedCodes.join('\n')} onCopied={keep} />
        <Button
          size="small"
          onClick={() => {
            saveFile(asFile(displayedCodes), 'factotum-backup-codes.txt')
            keep()
          }}
        >
          <Download size={15} aria-hidden="true" />
          Download
        </Button>
        <Button
          size="small"
          onClick={() => {
            window.print()
            keep()
          }}
        >
          <Printer size={15} aria-hidden="true" />
          Print
        </Button>
      </div>
      <label className="check backup-actions">
        <input type="checkbox" checked={isSaved} onChange={(event) => setIsSaved(event.target.checked)} />I
        have kept them somewhere safe
      </label>
    </OneTimeSecretDialog>
  )
}
