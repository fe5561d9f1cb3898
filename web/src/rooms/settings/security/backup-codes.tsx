import { Download, Printer } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { CopyButton, OnceDialog } from '../../../ui/secret.tsx'
import { useLast } from '../../../ui/use-last.ts'
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
  const [kept, setKept] = useState(false)
  const shown = useLast(codes) ?? []
  const keep = () => setKept(true)
  const close = () => {
    setKept(false)
    onClose()
  }
  return (
    <OnceDialog
      open={codes !== null}
      onClose={close}
      kept={kept}
      title="Keep your backup codes"
      about="Each lets you in once when your phone cannot. Keep them where you would find them without it."
    >
      <ul className="backup-codes">
        {shown.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="form-actions backup-actions">
        <CopyButton text={shown.join('\n')} onCopied={keep} />
        <Button
          size="small"
          onClick={() => {
            saveFile(asFile(shown), 'factotum-backup-codes.txt')
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
        <input type="checkbox" checked={kept} onChange={(event) => setKept(event.target.checked)} />I have
        kept them somewhere safe
      </label>
    </OnceDialog>
  )
}
