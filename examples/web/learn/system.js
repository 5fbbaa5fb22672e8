// runProgram(module, arguments, files): runs a WebAssembly program of WASI on files in memory. `files` are texts or bytes
// by name. Returns {status, out, err, files}: the exit status (70: it was stopped by a trap), what was written to the
// standard outputs, and all files afterwards. It uses nothing outside of itself, so that its text can become a worker.
function runProgram(module, args, files) {
  const encoder = new TextEncoder(), decoder = new TextDecoder();
  const BAD_FILE = 8, NOT_THERE = 44, NO_SYSTEM = 52, OK = 0, REGULAR = 4, FOLDER = 3;
  const folder = new Map(Object.entries(files).map(([name, data]) => [name, typeof data === 'string' ? encoder.encode(data) : data]));
  const open = [{written: []}, {written: []}, {written: []}, {folder: true}];
  let memory;
  const view = () => new DataView(memory.buffer), bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
  const name = (at, length) => decoder.decode(bytes(at, length)).replace(/^(\.?\/)+/, '');
  const strings = args.map(a => encoder.encode(a + '\0'));
  class Exit { constructor(status) { this.status = status; } }

  // Moves what is at a file's place; a file grows as it is written.
  function write(file, data) {
    if (file.written) return file.written.push(data.slice());
    const end = file.at + data.length, old = folder.get(file.name);
    if (end > old.length) {
      const grown = new Uint8Array(end);
      grown.set(old);
      folder.set(file.name, grown);
    }
    folder.get(file.name).set(data, file.at);
    file.at = end;
  }
  function transfer(fd, vectors, count, result, move) {
    if (!open[fd] || open[fd].folder) return BAD_FILE;
    let total = 0;
    for (let i = 0; i < count; i++) {
      const at = view().getUint32(vectors + 8 * i, true), length = view().getUint32(vectors + 8 * i + 4, true);
      total += move(open[fd], bytes(at, length));
    }
    view().setUint32(result, total, true);
    return OK;
  }
  function status(at, type, size) {
    bytes(at, 64).fill(0);
    view().setUint8(at + 16, type);
    view().setBigUint64(at + 32, BigInt(size), true);
    return OK;
  }
  const system = {
    args_sizes_get(count, size) {
      view().setUint32(count, strings.length, true);
      view().setUint32(size, strings.reduce((n, s) => n + s.length, 0), true);
      return OK;
    },
    args_get(pointers, at) {
      for (const [i, s] of strings.entries()) {
        view().setUint32(pointers + 4 * i, at, true);
        bytes(at, s.length).set(s);
        at += s.length;
      }
      return OK;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return OK;
    },
    environ_get: () => OK,
    clock_time_get(id, precision, at) {
      view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return OK;
    },
    fd_prestat_get(fd, at) {
      if (fd !== 3) return BAD_FILE;
      view().setUint32(at, 0, true);
      view().setUint32(at + 4, 1, true);
      return OK;
    },
    fd_prestat_dir_name(fd, at) {
      bytes(at, 1)[0] = 47;
      return OK;
    },
    fd_fdstat_get(fd, at) {
      if (!open[fd]) return BAD_FILE;
      bytes(at, 24).fill(0);
      view().setUint8(at, open[fd].folder ? FOLDER : open[fd].written ? 2 : REGULAR);
      view().setBigUint64(at + 8, ~0n & 0xFFFFFFFFFFFFFFFFn, true);
      view().setBigUint64(at + 16, ~0n & 0xFFFFFFFFFFFFFFFFn, true);
      return OK;
    },
    fd_fdstat_set_flags: () => OK,
    fd_filestat_get: (fd, at) => !open[fd] ? BAD_FILE : open[fd].folder ? status(at, FOLDER, 0)
      : status(at, open[fd].written ? 2 : REGULAR, open[fd].written ? 0 : folder.get(open[fd].name).length),
    path_filestat_get(fd, flags, path, length, at) {
      const file = name(path, length);
      if (file === '' || file === '.') return status(at, FOLDER, 0);
      return folder.has(file) ? status(at, REGULAR, folder.get(file).length) : NOT_THERE;
    },
    path_open(fd, flags, path, length, how, rights, inherited, mode, result) {
      const file = name(path, length), create = how & 1, truncate = how & 8;
      const isFolder = file === '' || file === '.';
      if (!isFolder && !folder.has(file) && !create) return NOT_THERE;
      if (!isFolder && (truncate || !folder.has(file))) folder.set(file, new Uint8Array(0));
      open.push(isFolder ? {folder: true} : {name: file, at: 0});
      view().setUint32(result, open.length - 1, true);
      return OK;
    },
    path_unlink_file: (fd, path, length) => folder.delete(name(path, length)) ? OK : NOT_THERE,
    path_create_directory: () => OK,
    fd_close(fd) {
      if (!open[fd]) return BAD_FILE;
      open[fd] = undefined;
      return OK;
    },
    fd_seek(fd, offset, whence, result) {
      const file = open[fd];
      if (!file || file.folder || file.written) return BAD_FILE;
      file.at = Number(offset) + (whence === 0 ? 0 : whence === 1 ? file.at : folder.get(file.name).length);
      view().setBigUint64(result, BigInt(file.at), true);
      return OK;
    },
    fd_write: (fd, vectors, count, result) => transfer(fd, vectors, count, result, (file, data) => (write(file, data), data.length)),
    fd_read: (fd, vectors, count, result) => transfer(fd, vectors, count, result, (file, data) => {
      const part = file.written ? new Uint8Array(0) : folder.get(file.name).subarray(file.at, file.at + data.length);
      data.set(part);
      file.at += part.length;
      return part.length;
    }),
    proc_exit(code) { throw new Exit(code); },
  };
  const imports = {wasi_snapshot_preview1: new Proxy(system, {get: (t, key) => t[key] ?? (() => NO_SYSTEM)})};
  const text = file => decoder.decode(file.written.reduce((all, part) => {
    const joined = new Uint8Array(all.length + part.length);
    joined.set(all);
    joined.set(part, all.length);
    return joined;
  }, new Uint8Array(0)));
  let result = 0;
  const [, out, err] = open;
  try {
    const instance = new WebAssembly.Instance(module, imports);
    memory = instance.exports.memory;
    instance.exports._start();
  } catch (e) {
    if (!(e instanceof Exit)) err.written.push(encoder.encode(`stopped: ${e.message}\n`));
    result = e instanceof Exit ? e.status : 70;
  }
  return {status: result, out: text(out), err: text(err), files: Object.fromEntries(folder)};
}
if (typeof module !== 'undefined') module.exports = {runProgram};
