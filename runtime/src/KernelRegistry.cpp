//===-- KernelRegistry.cpp - registers objects and finds kernels -----------------------------------------------===//
//
// Constructors of objects call __tilecc_register(), destructors call __tilecc_unregister(), and launches call
// findKernel().
//
//===----------------------------------------------------------------------------------------------------------===//
#include "KernelRegistry.h"
#include "Device.h"
#include "Error.h"
#include "Fork.h"
#include "Images.h"
#include "KernelTable.h"
#include "Peers.h"
#include "cpu/CpuChecks.h"

#include <link.h>
#include <stdlib.h>
#include <sys/auxv.h>

using namespace tilecc::rt;

static constinit Mutex registryLock;
static constinit bool registrationFailed = false; // out of memory; under the lock
static constinit KernelTable kernels;

// Registration cannot report errors, so they are recorded for the launch that does not find its kernel.
void __tilecc_register(const tilecc_module *abi) {
  auto *module = static_cast<Module *>(calloc(1, sizeof(Module)));
  if (abi->abi_version == TILECC_ABI_VERSION && abi->checks_cpu_memory)
    checkCpuMemoryFromNowOn();
  Lock lock(registryLock);
  if (!module) {
    registrationFailed = true;
    return;
  }
  module->abi = abi;
  module->loading = Mutex();
  module->next = thisCopy.modules.load();
  thisCopy.modules = module;
}

static bool index(Module &module) {
  uint32_t count = module.abi->kernel_count;
  module.kernels = static_cast<Kernel *>(calloc(count ? count : 1, sizeof(Kernel)));
  if (!module.kernels)
    return false;
  for (uint32_t i = 0; i < count; ++i) {
    Kernel &kernel = module.kernels[i];
    kernel.abi = &module.abi->kernels[i];
    kernel.module = &module;
    if (Kernel *first = kernels.find(kernel.abi->stub)) {
      kernel.standby = first->standby;
      first->standby = &kernel;
    } else if (!kernels.set(kernel.abi->stub, &kernel)) {
      return false;
    }
  }
  module.indexed = true;
  return true;
}

// Removes a kernel from the table; the next one with the same stub replaces it.
static void remove(Kernel &kernel) {
  Kernel *first = kernels.find(kernel.abi->stub);
  if (first == &kernel) {
    if (kernel.standby)
      kernels.set(kernel.abi->stub, kernel.standby);
    else
      kernels.erase(kernel.abi->stub);
    return;
  }
  while (first && first->standby != &kernel)
    first = first->standby;
  if (first)
    first->standby = kernel.standby;
}

bool tilecc::rt::isInMainProgram(const void *pointer) {
  auto *headers = reinterpret_cast<const ElfW(Phdr) *>(getauxval(AT_PHDR));
  size_t count = headers ? getauxval(AT_PHNUM) : 0;
  uintptr_t base = 0; // if the program is not relocated
  for (size_t i = 0; i < count; ++i)
    if (headers[i].p_type == PT_PHDR)
      base = reinterpret_cast<uintptr_t>(headers) - headers[i].p_vaddr;
  auto address = reinterpret_cast<uintptr_t>(pointer);
  for (size_t i = 0; i < count; ++i)
    if (headers[i].p_type == PT_LOAD && address - base - headers[i].p_vaddr < headers[i].p_memsz)
      return true;
  return false;
}

void __tilecc_unregister(const tilecc_module *abi) {
  // The main program's objects stay until the process ends. Other threads may still be launching kernels then, and
  // freeing gains nothing.
  if (isInMainProgram(abi))
    return;
  Lock lock(registryLock);
  std::atomic<Module *> *link = &thisCopy.modules;
  Module *module = *link;
  for (; module && module->abi != abi; module = *link)
    link = &module->next;
  if (!module)
    return;
  *link = module->next.load();
  waitForReaders();
  if (module->kernels) {
    for (uint32_t i = 0; i < abi->kernel_count; ++i)
      if (module->kernels[i].abi)
        remove(module->kernels[i]);
    for (const DeviceKind *kind : deviceKinds)
      kind->unload(*module);
  }
  free(module->kernels);
  free(module);
  if (!thisCopy.modules)
    kernels.clear();
}

// Indexes the modules registered since the last call. Returns false if there is not enough memory. The caller holds
// registryLock.
static bool indexNewModules(const tilecc_module **otherVersion) {
  bool complete = !registrationFailed;
  for (Module *module = thisCopy.modules; module; module = module->next) {
    if (module->abi->abi_version != TILECC_ABI_VERSION)
      *otherVersion = module->abi;
    else if (!module->kernels)
      complete &= index(*module);
  }
  return complete;
}

Kernel *tilecc::rt::findKernel(const void *stub) {
  if (Kernel *kernel = kernels.find(stub))
    return kernel;
  Lock lock(registryLock);
  const tilecc_module *otherVersion = nullptr;
  indexNewModules(&otherVersion);
  return kernels.find(stub);
}

const tilecc_module *tilecc::rt::describeKernel(const void *stub, const tilecc_kernel **description) {
  Kernel *kernel = findKernel(stub);
  if (!kernel)
    return nullptr;
  *description = kernel->abi;
  return kernel->module->abi;
}

ttError_t tilecc::rt::failNoKernel(const void *stub, uint32_t otherVersion) {
  Lock lock(registryLock);
  const tilecc_module *otherModule = nullptr;
  bool complete = indexNewModules(&otherModule);
  if (!complete)
    return fail(ttErrorMemoryAllocation, "not enough memory to register the kernels of this program");
  if (otherModule)
    otherVersion = otherModule->abi_version;
  if (otherVersion)
    return fail(ttErrorInvalidDeviceFunction,
                "no kernel is registered for the function at %p; an object was compiled by another version of tcc (its "
                "tables have version %u, this runtime reads version %u)",
                stub, otherVersion, TILECC_ABI_VERSION);
  return fail(ttErrorInvalidDeviceFunction, "no kernel is registered for the function at %p", stub);
}

ttError_t tilecc::rt::forEachKernel(ttError_t (*f)(Kernel &kernel)) {
  Lock lock(registryLock);
  const tilecc_module *otherVersion = nullptr;
  if (!indexNewModules(&otherVersion))
    return fail(ttErrorMemoryAllocation, "not enough memory to register the kernels of this program");
  ttError_t result = ttSuccess;
  for (Module *module = thisCopy.modules; module; module = module->next)
    for (uint32_t i = 0; module->indexed && i < module->abi->kernel_count; ++i)
      if (ttError_t error = f(module->kernels[i]))
        result = error;
  return result;
}

Kernel *tilecc::rt::findKernelThat(bool (*is)(Kernel &kernel, void *context), void *context) {
  Lock lock(registryLock);
  for (Module *module = thisCopy.modules; module; module = module->next)
    for (uint32_t i = 0; module->indexed && i < module->abi->kernel_count; ++i)
      if (is(module->kernels[i], context))
        return &module->kernels[i];
  return nullptr;
}

unsigned tilecc::rt::newestPtxArch() {
  Lock lock(registryLock);
  unsigned newest = 0;
  for (Module *module = thisCopy.modules; module; module = module->next) {
    if (module->abi->abi_version != TILECC_ABI_VERSION)
      continue;
    int image = chooseImage(*module->abi, anyArch, /*onlyPtx=*/true);
    if (image != noImage && archNumber(module->abi->images[image]) > newest)
      newest = archNumber(module->abi->images[image]);
  }
  return newest;
}

void tilecc::rt::lockRegistryForFork() { registryLock.lock(); }
void tilecc::rt::unlockRegistryAfterFork() { registryLock.unlock(); }
